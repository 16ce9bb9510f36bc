/**
 * The control requests that a host may send with `control`: the arguments of each, the CLI versions
 * that know it, and its timeout. All others are refused. Protocol reference §19.
 */
import type { z } from "zod";
import type { CONTROL_FIELDS } from "./control-fields.ts";

const none = () => ({});

/** The newest measured CLI that lacks a request, and the oldest measured CLI that has it. */
type VersionSupport = { readonly lacks?: string; readonly has?: string };

const always: VersionSupport = { has: "2.1.38" };
const since197: VersionSupport = { lacks: "2.1.38", has: "2.1.197" };
const since330: VersionSupport = { lacks: "2.1.197", has: "2.1.330" };
/** Declared by Claude, but not measured: sent to any version. */
const untried: VersionSupport = {};

type Fields = (fields: typeof CONTROL_FIELDS) => z.ZodRawShape;

/** Loaded when a request is read. */
const controlFields = () =>
  (require("./control-fields.ts") as typeof import("./control-fields.ts")).CONTROL_FIELDS;

type ControlSubtype = {
  readonly description: string;
  /** Built when it is read: all of them together would show in the start of the bridge. */
  readonly fields: z.ZodObject;
  readonly support: VersionSupport;
  readonly timeoutMs: number;
};

function quick(description: string, fields: Fields, support: VersionSupport): ControlSubtype {
  return request(description, fields, { support, timeoutMs: 30_000 });
}

/** A request that waits for a person, a model, a server or a scan of files. */
function slow(description: string, fields: Fields, support: VersionSupport): ControlSubtype {
  return request(description, fields, { support, timeoutMs: 10 * 60_000 });
}

function request(
  description: string,
  fields: Fields,
  limits: Pick<ControlSubtype, "support" | "timeoutMs">,
): ControlSubtype {
  return {
    description,
    get fields() {
      const parts = controlFields();
      return parts.z.object(fields(parts));
    },
    ...limits,
  };
}

/** Each request by its subtype. */
export const CONTROL_SUBTYPES: Readonly<Record<string, ControlSubtype>> = {
  apply_flag_settings: quick(
    "Changes settings of the session, which also apply to its later processes.",
    ({ nulFreeSettings }) => ({ settings: nulFreeSettings }),
    since197,
  ),
  background_tasks: quick(
    "Moves running foreground work to the background.",
    ({ name }) => ({
      tool_use_id: name.optional().describe("The tool call. Absent: all. Since Claude 2.1.330."),
    }),
    since197,
  ),
  claude_authenticate: slow(
    "Begins a login.",
    ({ text, flag }) => ({
      loginWithClaudeAi: flag.describe("True: with a subscription; false: with the API's console."),
      consoleProfile: text.optional().describe("The profile of the API's console."),
    }),
    untried,
  ),
  claude_oauth_callback: quick(
    "Passes on the code that a login page gave.",
    ({ name }) => ({
      authorizationCode: name.describe("The code."),
      state: name.describe("The state of the page."),
    }),
    untried,
  ),
  claude_oauth_wait_for_completion: slow("Waits for the end of a login.", none, untried),
  export_conversation: quick("Gives the conversation as a text.", none, untried),
  file_suggestions: quick(
    "Gives files whose names match.",
    ({ text }) => ({ query: text.describe("The typed text.") }),
    since197,
  ),
  generate_session_title: slow(
    "Lets a model write a title for the conversation.",
    ({ name, flag }) => ({
      description: name.describe("The subject of the conversation."),
      persist: flag.describe("True stores the title."),
    }),
    since197,
  ),
  get_binary_version: quick("Gives the version and the build of Claude.", none, since197),
  get_context_usage: slow(
    "Lists the parts that fill the context.",
    ({ z }) => ({
      detail: z
        .enum(["summary", "full"])
        .optional()
        .describe("`summary` needs no call of the API to count tokens."),
    }),
    since197,
  ),
  get_hooks_listing: quick("Lists the hooks.", none, since330),
  get_plan: quick("Gives the plan of the plan mode.", none, untried),
  get_session_cost: quick("Gives the costs of the session as a text.", none, since197),
  get_settings: quick("Gives the settings that apply, and where they come from.", none, since197),
  get_status: quick("Gives the state of Claude in sections, for display.", none, untried),
  get_task_output: quick(
    "Gives the end of the output of a background command, up to 8 KiB.",
    ({ name }) => ({ task_id: name.describe("The task.") }),
    since330,
  ),
  get_usage: slow(
    "Gives the costs of the session and the limits of the plan.",
    ({ flag }) => ({ skip_behaviors: flag.describe("True leaves out the part about habits.") }),
    since197,
  ),
  get_workspace_diff: slow(
    "Gives the differences of the folder from the latest commit of its Git repository, for display.",
    none,
    since330,
  ),
  list_models: quick("Lists the models.", none, since330),
  list_permission_rules: quick("Lists the permission rules.", none, since330),
  mcp_authenticate: slow(
    "Begins the login at an MCP server.",
    ({ text, flag, serverName }) => ({
      serverName,
      redirectUri: text.optional().describe("Where the login page leads to."),
      redirectUriOnly: flag.describe("True uses no other address."),
    }),
    untried,
  ),
  mcp_call: slow(
    "Calls a tool of an MCP server.",
    ({ name, flag, count, jsonObject }) => ({
      tool: name.describe("The tool, as `mcp__<server>__<tool>`."),
      arguments: jsonObject.optional().describe("Its input."),
      timeout_ms: count.describe("The time limit of the call, in ms."),
      result_not_for_model: flag.describe("True keeps the result from the model."),
      check_permissions: flag.describe("True applies the permission rules."),
    }),
    since197,
  ),
  mcp_clear_auth: quick(
    "Ends the login at an MCP server.",
    ({ serverName }) => ({ serverName }),
    untried,
  ),
  mcp_oauth_callback_url: quick(
    "Passes on the address that the login page of an MCP server led to.",
    ({ name, serverName }) => ({ serverName, callbackUrl: name.describe("The address.") }),
    untried,
  ),
  mcp_read_resource: slow(
    "Reads a resource of an MCP server.",
    ({ name, serverName }) => ({ serverName, uri: name.describe("The address of the resource.") }),
    untried,
  ),
  mcp_reconnect: slow(
    "Connects to an MCP server again.",
    ({ serverName }) => ({ serverName }),
    always,
  ),
  mcp_set_servers: slow(
    "Replaces the MCP servers that were added by this request.",
    ({ jsonObject, jsonRecord }) => ({
      servers: jsonRecord(jsonObject).describe("Their configurations by name."),
    }),
    always,
  ),
  mcp_status: quick(
    "Lists the MCP servers with their states.",
    ({ flag }) => ({ liveReply: flag.describe("True asks the servers themselves.") }),
    always,
  ),
  mcp_toggle: slow(
    "Enables or disables an MCP server.",
    ({ z, serverName }) => ({ serverName, enabled: z.boolean().describe("True enables it.") }),
    always,
  ),
  read_file: quick(
    "Reads a file that the rules of Read allow.",
    ({ z, name, count }) => ({
      path: name.describe("The path of the file."),
      max_bytes: count.describe("The most bytes to read."),
      encoding: z.enum(["utf-8", "base64"]).optional().describe("How the content is given."),
    }),
    since197,
  ),
  register_repo_root: quick(
    "Adds a folder below those that tools may use.",
    ({ name, flag }) => ({
      directory: name.describe("The path of the folder."),
      reload_claude_md: flag.describe("True reads its CLAUDE.md."),
      reload_plugins: flag.describe("True loads its plugins."),
      reload_skills: flag.describe("True loads its skills."),
    }),
    since197,
  ),
  reload_output_styles: quick("Loads the output styles again.", none, since330),
  reload_plugins: slow(
    "Loads the plugins again.",
    ({ z, flag, jsonObject }) => ({
      hold_on_cache_impact: flag.describe("True does nothing if the prompt cache would be lost."),
      add_plugins: z.array(jsonObject).optional().describe("Plugins to add: `{type, path}`."),
      refuse_if_busy: flag.describe("True refuses it during a turn."),
    }),
    since197,
  ),
  reload_skills: slow("Loads the skills again.", none, since197),
  rename_session: quick(
    "Gives a conversation a title.",
    ({ name }) => ({
      title: name.describe("The title."),
      session_id: name.optional().describe("The conversation. Absent: the current one."),
    }),
    since197,
  ),
  rewind_files: slow(
    "Restores the files that Write and Edit have changed since a message.",
    ({ name, flag }) => ({
      user_message_id: name.toLowerCase().describe("The `message_id` of the message."),
      dry_run: flag.describe("True only lists the files."),
    }),
    always,
  ),
  seed_read_state: quick(
    "Tells Claude that a file has been read, so that it can be edited.",
    ({ z, name }) => ({
      path: name.describe("The path of the file."),
      mtime: z.number().describe("When the file was last changed, in ms since 1970."),
    }),
    since197,
  ),
  set_color: quick(
    "Sets the colour of the session. No measured version of Claude supports it.",
    ({ name }) => ({ color: name.describe("The name of the colour.") }),
    { lacks: "2.1.330" },
  ),
  set_cwd: quick(
    "Changes the folder that Claude works in.",
    ({ text, name, flag }) => ({
      path: name.describe("The path of the folder."),
      trust_accepted: flag.describe("True: the user trusts the folder."),
      trusted_directory: text.optional().describe("The folder that the user trusts."),
    }),
    untried,
  ),
  set_has_subscribers: quick(
    "Tells Claude whether somebody is looking.",
    ({ z }) => ({ has_subscribers: z.boolean().nullable().describe("Null: unknown.") }),
    since330,
  ),
  set_max_thinking_tokens: quick(
    "Changes the limit or the display of thinking.",
    ({ z }) => ({
      max_thinking_tokens: z
        .number()
        .int()
        .nonnegative()
        .nullish()
        .describe("The most thinking tokens of one model call; 0: none. Null: Claude's default."),
      thinking_display: z
        .enum(["summarized", "omitted", "highlights"])
        .nullish()
        .describe("How thinking is shown. Null: Claude's default."),
    }),
    always,
  ),
  set_mcp_permission_mode_override: quick(
    "Sets the permission mode for the tools of an MCP server.",
    ({ z, serverName }) => ({
      serverName,
      mode: z.enum(["default", "auto"]).nullable().describe("Null: the mode of the session."),
    }),
    untried,
  ),
  side_question: slow(
    "Asks the model something beside the conversation.",
    ({ z, name, jsonObject }) => ({
      question: name.describe("The question."),
      history: z.array(jsonObject).optional().describe("Earlier side questions and answers."),
    }),
    since197,
  ),
  update_settings: quick(
    "Writes settings to a file of settings.",
    ({ z, settings }) => ({
      source: z.enum(["localSettings", "userSettings"]).describe("Which file."),
      settings,
    }),
    since330,
  ),
};

/** Requests for which a host sends a message of another type. */
export const OWN_REQUESTS: Readonly<Record<string, VersionSupport & { readonly message: string }>> =
  {
    cancel_async_message: { ...since197, message: "cancel_message" },
    initialize: { ...always, message: "protocol_init" },
    interrupt: { ...always, message: "interrupt" },
    set_model: { ...always, message: "model_change" },
    set_permission_mode: { ...always, message: "permission_mode" },
    stop_task: { ...since197, message: "stop_task" },
  };

/** Requests that a host can never send, each with the reason. */
export const WITHHELD: Readonly<Record<string, string>> = {
  mcp_message: "it is for in-process MCP servers, which a host cannot declare",
  end_session: "use shutdown to end the process",
};

/** Why a request that is not in `CONTROL_SUBTYPES` is refused. Begins with the field, as the other problems of a line do. */
export function refusalOf(name: string): string {
  if (Object.hasOwn(OWN_REQUESTS, name))
    return `subtype: ${name} has a message of its own: ${OWN_REQUESTS[name]?.message}`;
  const refusal = `subtype: ${name} is not a control request that a host may send`;
  return Object.hasOwn(WITHHELD, name) ? `${refusal}: ${WITHHELD[name]}` : refusal;
}

/** Which measured versions know a request. */
export function supportOf(name: string): VersionSupport {
  return CONTROL_SUBTYPES[name]?.support ?? OWN_REQUESTS[name] ?? untried;
}
