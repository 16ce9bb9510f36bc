/**
 * The control requests that a host may send through `control`: the arguments of each, and which of
 * the measured CLIs knows it. What is not here is refused. Requests with a message of their own
 * (`interrupt`, `permission_mode`, …) are in `OWN_REQUESTS`, and a refusal names that message. Protocol reference §19.
 */
import { z } from "zod";
import { jsonObject, jsonRecord } from "../base/json.ts";
import { compareVersions } from "../base/versions.ts";
import { refuseNul } from "./envelope.ts";

const text = z.string();
const name = text.min(1);
const number = z.number();
const none = {};

/** The newest measured CLI that lacks a request, and the oldest that has it. */
export type VersionSupport = { readonly lacks?: string; readonly has?: string };

const always: VersionSupport = { has: "2.1.38" };
const since197: VersionSupport = { lacks: "2.1.38", has: "2.1.197" };
const since330: VersionSupport = { lacks: "2.1.197", has: "2.1.330" };
/** Declared or seen in use, and not tried: Claude itself says. */
const untried: VersionSupport = {};

/** Requests that a person takes part in, or that a model answers, in ms. */
const PATIENT = 10 * 60_000;
/** All others, in ms. */
const PROMPT = 30_000;

export type ControlSubtype = {
  readonly fields: z.ZodObject;
  readonly measured: VersionSupport;
  readonly timeoutMs: number;
};

function subtype(
  fields: z.ZodRawShape,
  measured: VersionSupport,
  timeoutMs = PROMPT,
): ControlSubtype {
  return { fields: z.object(fields), measured, timeoutMs };
}

/** The allow-list. */
export const CONTROL_SUBTYPES: Readonly<Record<string, ControlSubtype>> = {
  apply_flag_settings: subtype({ settings: jsonObject.superRefine(refuseNul) }, since197),
  background_tasks: subtype({ tool_use_id: name.optional() }, since197),
  claude_authenticate: subtype(
    { loginWithClaudeAi: z.boolean().optional(), consoleProfile: text.optional() },
    untried,
    PATIENT,
  ),
  claude_oauth_callback: subtype({ authorizationCode: name, state: name }, untried),
  claude_oauth_wait_for_completion: subtype(none, untried, PATIENT),
  export_conversation: subtype(none, untried),
  file_suggestions: subtype({ query: text }, since197),
  generate_session_title: subtype(
    { description: name, persist: z.boolean().optional() },
    since197,
    PATIENT,
  ),
  get_binary_version: subtype(none, since197),
  get_context_usage: subtype({ detail: z.enum(["summary", "full"]).optional() }, since197, PATIENT),
  get_hooks_listing: subtype(none, since330),
  get_plan: subtype(none, untried),
  get_session_cost: subtype(none, since197),
  get_settings: subtype(none, since197),
  get_status: subtype(none, untried),
  get_task_output: subtype({ task_id: name }, since330),
  get_usage: subtype({ skip_behaviors: z.boolean().optional() }, since197, PATIENT),
  get_workspace_diff: subtype(none, untried),
  list_models: subtype(none, since330),
  list_permission_rules: subtype(none, since330),
  mcp_authenticate: subtype(
    { serverName: name, redirectUri: text.optional(), redirectUriOnly: z.boolean().optional() },
    untried,
    PATIENT,
  ),
  mcp_call: subtype(
    {
      tool: name,
      arguments: jsonObject.optional(),
      timeout_ms: z.number().int().positive().optional(),
      result_not_for_model: z.boolean().optional(),
      check_permissions: z.boolean().optional(),
    },
    since197,
    PATIENT,
  ),
  mcp_clear_auth: subtype({ serverName: name }, untried),
  mcp_oauth_callback_url: subtype({ serverName: name, callbackUrl: name }, untried),
  mcp_read_resource: subtype({ serverName: name, uri: name }, untried, PATIENT),
  mcp_reconnect: subtype({ serverName: name }, always, PATIENT),
  mcp_set_servers: subtype({ servers: jsonRecord(jsonObject) }, always, PATIENT),
  mcp_status: subtype({ liveReply: z.boolean().optional() }, always),
  mcp_toggle: subtype({ serverName: name, enabled: z.boolean() }, always, PATIENT),
  read_file: subtype(
    {
      path: name,
      max_bytes: z.number().int().positive().optional(),
      encoding: z.enum(["utf-8", "base64"]).optional(),
    },
    since197,
  ),
  register_repo_root: subtype(
    {
      directory: name,
      reload_claude_md: z.boolean().optional(),
      reload_plugins: z.boolean().optional(),
      reload_skills: z.boolean().optional(),
    },
    since197,
  ),
  reload_output_styles: subtype(none, since330),
  reload_plugins: subtype(
    {
      hold_on_cache_impact: z.boolean().optional(),
      add_plugins: z.array(jsonObject).optional(),
      refuse_if_busy: z.boolean().optional(),
    },
    since197,
    PATIENT,
  ),
  reload_skills: subtype(none, since197, PATIENT),
  rename_session: subtype({ title: name, session_id: name.optional() }, since197),
  rewind_files: subtype(
    { user_message_id: name, dry_run: z.boolean().optional() },
    always,
    PATIENT,
  ),
  seed_read_state: subtype({ path: name, mtime: number }, since197),
  set_color: subtype({ color: name }, { lacks: "2.1.330" }),
  set_cwd: subtype(
    { path: name, trust_accepted: z.boolean().optional(), trusted_directory: text.optional() },
    untried,
  ),
  set_has_subscribers: subtype({ has_subscribers: z.boolean().nullable() }, since330),
  set_max_thinking_tokens: subtype(
    {
      max_thinking_tokens: z.number().int().nonnegative().nullish(),
      thinking_display: z.enum(["summarized", "omitted", "highlights"]).nullish(),
    },
    always,
  ),
  set_mcp_permission_mode_override: subtype(
    { serverName: name, mode: z.enum(["default", "auto"]).nullable() },
    untried,
  ),
  side_question: subtype(
    { question: name, history: z.array(jsonObject).optional() },
    since197,
    PATIENT,
  ),
  update_settings: subtype(
    { source: z.enum(["localSettings", "userSettings"]), settings: jsonObject },
    since330,
  ),
};

/** Requests that have a message of their own, by its type. */
export const OWN_REQUESTS: Readonly<Record<string, VersionSupport & { readonly message: string }>> =
  {
    cancel_async_message: { ...since197, message: "cancel_message" },
    initialize: { ...always, message: "protocol_init" },
    interrupt: { ...always, message: "interrupt" },
    set_model: { ...always, message: "model_change" },
    set_permission_mode: { ...always, message: "permission_mode" },
    stop_task: { ...since197, message: "stop_task" },
  };

/** Why no host may send these. */
export const WITHHELD: Readonly<Record<string, string>> = {
  mcp_message: "frames of an in-process MCP server, which no host can declare",
  end_session: "the process is ended by shutdown",
};

/** Why a request that is not on the allow-list is refused. */
export function whyNotSent(name: string): string {
  if (Object.hasOwn(OWN_REQUESTS, name))
    return `${name} has a message of its own: ${OWN_REQUESTS[name]?.message}`;
  const words = `${name} is not a control request that a host may send`;
  return Object.hasOwn(WITHHELD, name) ? `${words}: ${WITHHELD[name]}` : words;
}

/** Whether a CLI of this version is known to lack a request; then, the oldest one known to have it. */
export function unsupportedIn(
  name: string,
  version: string | undefined,
): { readonly has: string | undefined } | undefined {
  const measured = CONTROL_SUBTYPES[name]?.measured ?? OWN_REQUESTS[name];
  if (version === undefined || measured?.lacks === undefined) return undefined;
  return compareVersions(version, measured.lacks) > 0 ? undefined : { has: measured.has };
}

/** What may be the reason where a request got no answer and the version is not known yet. */
export function maybeUnsupported(name: string): string | undefined {
  const { lacks, has } = CONTROL_SUBTYPES[name]?.measured ?? OWN_REQUESTS[name] ?? {};
  return lacks === undefined
    ? undefined
    : `${lacks} does not know ${name}; ${has ?? "no measured version"} does`;
}
