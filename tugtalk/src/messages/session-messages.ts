/** Messages to the host about the session: its process, its id, its state and its settings. */
import { z } from "zod";
import { jsonObject } from "../base/json.ts";
import { fields } from "./claude-fields.ts";
import { looseOutbound, outbound } from "./envelope.ts";

const text = z.string();
const number = z.number();

const ProcessStarted = outbound("process_started", { pid: number, args: z.array(text) });

/** Claude exited. Exit code 1 after an error result is normal. */
const ProcessExit = outbound("process_exit", {
  pid: number,
  exit_code: number.nullable(),
  signal: text.nullable(),
  expected: z.boolean(),
  stderr_tail: text,
  will_restart: z.boolean(),
});

/** The current conversation has this id from here on. */
export const SessionInit = outbound("session_init", {
  session_id: text,
  mode: z.enum(["new", "resume", "continue", "fork", "clear"]),
  previous_session_id: text.optional(),
});
export type SessionInit = z.infer<typeof SessionInit>;

/** How a command is run: by the CLI, as a prompt for the model, or as a skill. */
export const CommandCategory = z.enum(["local", "agent", "skill"]);
export type CommandCategory = z.infer<typeof CommandCategory>;

/** The credentials that Claude uses. */
export const LoginKind = z.enum([
  "api_key",
  "auth_token",
  "oauth_token",
  "subscription",
  "third_party",
  "none",
]);
export type LoginKind = z.infer<typeof LoginKind>;

/** Claude's response to `initialize`; further fields pass through. */
export const SessionCapabilities = looseOutbound("session_capabilities", {
  models: z.array(z.looseObject({ value: text })).optional(),
  commands: z
    .array(
      z.looseObject({
        name: text,
        description: text.optional(),
        argumentHint: text.optional(),
        category: CommandCategory.optional(),
      }),
    )
    .optional(),
  agents: z.array(z.looseObject({ name: text })).optional(),
  output_style: text.optional(),
  available_output_styles: z.array(text).optional(),
  permission_modes: z.array(text).optional(),
  login: LoginKind.optional(),
  account: jsonObject.optional(),
  claude_version: text.optional(),
});

/** All fields of `system/init`. Each message replaces the one before. */
export const SystemMetadata = looseOutbound("system_metadata", {
  session_id: text,
  ...fields(text.optional(), "cwd", "model", "permissionMode", "claude_code_version"),
  ...fields(z.array(text).optional(), "tools", "slash_commands"),
});
export type SystemMetadata = z.infer<typeof SystemMetadata>;

export const SessionStateChanged = outbound("session_state", {
  state: z.enum([
    "starting",
    "idle",
    "running",
    "requires_action",
    "compacting",
    "stalled",
    "exited",
  ]),
  /** The running background tasks; absent if this CLI does not list them. */
  background_tasks: z.array(z.looseObject({ task_id: text })).optional(),
});
export type SessionStateChanged = z.infer<typeof SessionStateChanged>;

const source = z.enum(["host", "claude"]);
const PermissionModeChanged = outbound("permission_mode_changed", { mode: text, source });
const ModelChanged = outbound("model_changed", { model: text.nullable(), source });

export const SESSION_MESSAGES = [
  ProcessStarted,
  ProcessExit,
  SessionInit,
  SessionCapabilities,
  SystemMetadata,
  SessionStateChanged,
  PermissionModeChanged,
  ModelChanged,
] as const;
