/**
 * The control requests that a host may send with `control`: the arguments of each, the CLI versions
 * that know it, and its timeout. All others are refused. Protocol reference §19.
 */
import { z } from "zod";
import { jsonObject, jsonRecord } from "../base/json.ts";
import { compareVersions } from "../base/versions.ts";
import { refuseNul } from "./envelope.ts";

const text = z.string();
const name = text.min(1);
const flag = z.boolean().optional();
const count = z.number().int().positive().optional();
const serverName = name;
const none = {};

/** The newest measured CLI that lacks a request, and the oldest measured one that has it. */
type VersionSupport = { readonly lacks?: string; readonly has?: string };

const always: VersionSupport = { has: "2.1.38" };
const since197: VersionSupport = { lacks: "2.1.38", has: "2.1.197" };
const since330: VersionSupport = { lacks: "2.1.197", has: "2.1.330" };
/** Declared by Claude, but not measured: sent to any version. */
const untried: VersionSupport = {};

type ControlSubtype = {
  readonly fields: z.ZodObject;
  readonly support: VersionSupport;
  readonly timeoutMs: number;
};

function quick(fields: z.ZodRawShape, support: VersionSupport): ControlSubtype {
  return { fields: z.object(fields), support, timeoutMs: 30_000 };
}

/** A request that waits for a person, a model, a server or a scan of files. */
function slow(fields: z.ZodRawShape, support: VersionSupport): ControlSubtype {
  return { fields: z.object(fields), support, timeoutMs: 10 * 60_000 };
}

/** Each request by its subtype. */
export const CONTROL_SUBTYPES: Readonly<Record<string, ControlSubtype>> = {
  apply_flag_settings: quick({ settings: jsonObject.superRefine(refuseNul) }, since197),
  background_tasks: quick({ tool_use_id: name.optional() }, since197),
  claude_authenticate: slow({ loginWithClaudeAi: flag, consoleProfile: text.optional() }, untried),
  claude_oauth_callback: quick({ authorizationCode: name, state: name }, untried),
  claude_oauth_wait_for_completion: slow(none, untried),
  export_conversation: quick(none, untried),
  file_suggestions: quick({ query: text }, since197),
  generate_session_title: slow({ description: name, persist: flag }, since197),
  get_binary_version: quick(none, since197),
  get_context_usage: slow({ detail: z.enum(["summary", "full"]).optional() }, since197),
  get_hooks_listing: quick(none, since330),
  get_plan: quick(none, untried),
  get_session_cost: quick(none, since197),
  get_settings: quick(none, since197),
  get_status: quick(none, untried),
  get_task_output: quick({ task_id: name }, since330),
  get_usage: slow({ skip_behaviors: flag }, since197),
  get_workspace_diff: quick(none, untried),
  list_models: quick(none, since330),
  list_permission_rules: quick(none, since330),
  mcp_authenticate: slow(
    { serverName, redirectUri: text.optional(), redirectUriOnly: flag },
    untried,
  ),
  mcp_call: slow(
    {
      tool: name,
      arguments: jsonObject.optional(),
      timeout_ms: count,
      result_not_for_model: flag,
      check_permissions: flag,
    },
    since197,
  ),
  mcp_clear_auth: quick({ serverName }, untried),
  mcp_oauth_callback_url: quick({ serverName, callbackUrl: name }, untried),
  mcp_read_resource: slow({ serverName, uri: name }, untried),
  mcp_reconnect: slow({ serverName }, always),
  mcp_set_servers: slow({ servers: jsonRecord(jsonObject) }, always),
  mcp_status: quick({ liveReply: flag }, always),
  mcp_toggle: slow({ serverName, enabled: z.boolean() }, always),
  read_file: quick(
    { path: name, max_bytes: count, encoding: z.enum(["utf-8", "base64"]).optional() },
    since197,
  ),
  register_repo_root: quick(
    { directory: name, reload_claude_md: flag, reload_plugins: flag, reload_skills: flag },
    since197,
  ),
  reload_output_styles: quick(none, since330),
  reload_plugins: slow(
    {
      hold_on_cache_impact: flag,
      add_plugins: z.array(jsonObject).optional(),
      refuse_if_busy: flag,
    },
    since197,
  ),
  reload_skills: slow(none, since197),
  rename_session: quick({ title: name, session_id: name.optional() }, since197),
  rewind_files: slow({ user_message_id: name.toLowerCase(), dry_run: flag }, always),
  seed_read_state: quick({ path: name, mtime: z.number() }, since197),
  set_color: quick({ color: name }, { lacks: "2.1.330" }),
  set_cwd: quick({ path: name, trust_accepted: flag, trusted_directory: text.optional() }, untried),
  set_has_subscribers: quick({ has_subscribers: z.boolean().nullable() }, since330),
  set_max_thinking_tokens: quick(
    {
      max_thinking_tokens: z.number().int().nonnegative().nullish(),
      thinking_display: z.enum(["summarized", "omitted", "highlights"]).nullish(),
    },
    always,
  ),
  set_mcp_permission_mode_override: quick(
    { serverName, mode: z.enum(["default", "auto"]).nullable() },
    untried,
  ),
  side_question: slow({ question: name, history: z.array(jsonObject).optional() }, since197),
  update_settings: quick(
    { source: z.enum(["localSettings", "userSettings"]), settings: jsonObject },
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

/** Why a request that is not in `CONTROL_SUBTYPES` is refused. */
export function refusalOf(name: string): string {
  if (Object.hasOwn(OWN_REQUESTS, name))
    return `${name} has a message of its own: ${OWN_REQUESTS[name]?.message}`;
  const refusal = `${name} is not a control request that a host may send`;
  return Object.hasOwn(WITHHELD, name) ? `${refusal}: ${WITHHELD[name]}` : refusal;
}

function supportOf(name: string): VersionSupport {
  return CONTROL_SUBTYPES[name]?.support ?? OWN_REQUESTS[name] ?? untried;
}

/** If a CLI of this version is known to lack a request: the oldest version known to have it. */
export function unsupportedIn(
  name: string,
  version: string | undefined,
): { readonly has: string | undefined } | undefined {
  const { lacks, has } = supportOf(name);
  if (version === undefined || lacks === undefined) return undefined;
  return compareVersions(version, lacks) > 0 ? undefined : { has };
}

/** Why a request may have timed out while the version of the CLI is not known yet. */
export function maybeUnsupported(name: string): string | undefined {
  const { lacks, has } = supportOf(name);
  return lacks === undefined
    ? undefined
    : `${lacks} does not know ${name}; ${has ?? "no measured version"} does`;
}
