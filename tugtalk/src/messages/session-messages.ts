/** Messages to the host about the session: its process, its id, its state and its settings. */
import { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import { optional } from "./claude-fields.ts";
import {
  described,
  flag,
  looseOutbound,
  number,
  optionalText,
  outbound,
  text,
  texts,
} from "./message-schemas.ts";
import { BackgroundTask } from "./notification-tasks.ts";

const pid = number.int().describe("The id of the process.");

const ProcessStarted = outbound("process_started", {
  pid,
  args: texts.describe("Its arguments. Secrets are in files, and not here."),
}).describe("A process of Claude has started.");

const ProcessExit = outbound("process_exit", {
  pid,
  exit_code: number
    .int()
    .nullable()
    .describe("1 after an error result is normal. Null if a signal ended it."),
  signal: text.nullable().describe("The name of the signal that ended it. Null if none did."),
  expected: flag.describe("tugtalk ended it."),
  stderr_tail: text.describe("The end of its stderr, up to 8192 characters."),
  will_restart: flag.describe(
    "The next message, or a queued one, starts Claude again, at most three times a minute.",
  ),
}).describe("A process of Claude has ended.");

const ChannelClosed = outbound("channel_closed", {
  exit_code: number
    .int()
    .describe(
      "The exit code that tugtalk without channels would have had: 0, or 1 after a fatal error.",
    ),
}).describe("The channel has ended, and its name is free. Its last message.");

export const SessionInit = outbound("session_init", {
  session_id: text.describe("The id of the conversation, a UUID in lower case."),
  mode: z
    .enum(["new", "resume", "continue", "fork", "clear"])
    .describe(
      "How it was chosen. `clear`: Claude itself has started another one, as `/clear` does. A restart has `resume`.",
    ),
  previous_session_id: optionalText.describe("The conversation before. Absent for the first one."),
}).describe(
  "The conversation from here on. Sent for each process of Claude, and when the id changes within one.",
);
export type SessionInit = z.infer<typeof SessionInit>;

export const CommandCategory = z.enum(["local", "agent", "skill"]).meta({
  id: "CommandCategory",
  description:
    "How a command is run: `local` by the CLI, `agent` as a prompt for the model, `skill` as a skill.",
});
export type CommandCategory = z.infer<typeof CommandCategory>;

export const LoginKind = z
  .enum(["api_key", "auth_token", "oauth_token", "subscription", "third_party", "none"])
  .meta({
    id: "LoginKind",
    description:
      "The credentials that Claude uses: `auth_token` is `ANTHROPIC_AUTH_TOKEN`, `oauth_token` is `CLAUDE_CODE_OAUTH_TOKEN`, `third_party` another provider (since Claude 2.1.197).",
  });
export type LoginKind = z.infer<typeof LoginKind>;

const ModelInfo = z.looseObject({ value: text.describe("The name for `model_change`.") }).meta({
  id: "ModelInfo",
  description: "A model, with Claude's further fields: `displayName`, `description`, …",
});

const CommandInfo = z
  .looseObject({
    name: text.describe("Without the slash."),
    description: optionalText.describe("The effect of the command."),
    argumentHint: optionalText.describe("A hint for the arguments, such as `[file]`."),
    category: CommandCategory.optional().describe("Added by tugtalk. Absent where it is unknown."),
  })
  .meta({ id: "CommandInfo", description: "A slash command, with Claude's further fields." });

const AgentInfo = z.looseObject({ name: text.describe("The name.") }).meta({
  id: "AgentInfo",
  description: "A kind of subagent, with Claude's further fields: `description`, `model`, …",
});

export const SessionCapabilities = looseOutbound("session_capabilities", {
  models: z.array(ModelInfo).optional().describe("The models to choose from."),
  commands: z
    .array(CommandInfo)
    .optional()
    .describe("The slash commands. `commands_changed` has later ones."),
  agents: z.array(AgentInfo).optional().describe("The kinds of subagents. Since Claude 2.1.197."),
  output_style: optionalText.describe("The current output style."),
  available_output_styles: texts.optional().describe("The output styles to choose from."),
  permission_modes: texts
    .optional()
    .describe(
      "The permission modes of this version of Claude. Absent where it is not known, as on 2.1.38.",
    ),
  login: LoginKind.optional().describe("How Claude is logged in."),
  account: jsonObject
    .optional()
    .describe(
      "Claude's fields: `tokenSource`, `apiKeySource`, `apiProvider`, `subscriptionType`, …",
    ),
  claude_version: optionalText.describe(
    "The version of Claude. Since Claude 2.1.330; for others see `system_metadata.claude_code_version`.",
  ),
}).describe(
  "Claude's response to `initialize`; further fields pass through. Ill-formed fields are left out. Not sent if Claude refused the request.",
);

const McpServer = z
  .looseObject({
    name: text.describe("The name, as in `mcp__<server>__<tool>`."),
    status: text.describe("`connected`, `failed`, `needs-auth`, `pending` or `disabled`."),
  })
  .meta({ id: "McpServer", description: "An MCP server, with Claude's further fields." });

/** The fields of Claude's `system/init` that are read. */
export const SYSTEM_FIELDS = {
  session_id: text.describe("The id of the conversation."),
  ...described(optional(text), {
    cwd: "The folder that Claude works in.",
    model: "The full id of the model.",
    permissionMode: "The permission mode.",
    claude_code_version: "The version of Claude.",
  }),
  ...described(optional(texts), {
    tools: "The names of the tools.",
    slash_commands: "The slash commands, without the slash.",
    agents: "The kinds of subagents.",
    skills: "The skills.",
  }),
  plugins: optional(z.array(z.unknown())).describe("The plugins, as Claude lists them."),
  mcp_servers: optional(z.array(McpServer)).describe("The MCP servers."),
  ...described(optional(text), {
    apiKeySource: "Where the API key is from, by Claude's name.",
    output_style: "The output style.",
    fast_mode_state: "`off`, `cooldown` or `on`.",
  }),
};

export const SystemMetadata = looseOutbound("system_metadata", SYSTEM_FIELDS).describe(
  "All fields of Claude's `system/init`. Each message replaces the one before. Sent for each turn that begins with a `system/init`; `/compact` does not.",
);

export const SessionStateChanged = outbound("session_state", {
  state: z
    .enum(["starting", "idle", "running", "requires_action", "compacting", "stalled", "exited"])
    .describe(
      "`requires_action`: a prompt is open. `stalled`: the open turn waits for the model, and nothing came in time. `exited`: Claude's process has ended.",
    ),
  background_tasks: z
    .array(BackgroundTask)
    .optional()
    .describe(
      "The tasks that run in the background. Absent if Claude does not list them. Since Claude 2.1.330.",
    ),
}).describe("The state of the session, at each change.");
export type SessionStateChanged = z.infer<typeof SessionStateChanged>;

const source = z.enum(["host", "claude"]).describe("Who changed it.");

const PermissionModeChanged = outbound("permission_mode_changed", {
  mode: text.describe("The mode, by Claude's name."),
  source,
}).describe("Another permission mode applies.");

const ModelChanged = outbound("model_changed", {
  model: text.nullable().describe("The model. Null: Claude's default."),
  source,
}).describe("Another model applies.");

export const SESSION_MESSAGES = [
  ProcessStarted,
  ProcessExit,
  SessionInit,
  SessionCapabilities,
  SystemMetadata,
  SessionStateChanged,
  PermissionModeChanged,
  ModelChanged,
  ChannelClosed,
] as const;
