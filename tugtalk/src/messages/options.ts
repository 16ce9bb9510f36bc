/**
 * The options of `protocol_init`. An unknown one is refused, because a misspelt safety option must not
 * be ignored. Claude gets them as arguments, in its environment or in `initialize`; those that end in
 * `_ms`, `max_queued` and `tool_input_deltas` configure tugtalk itself.
 */
import { z } from "zod";
import { jsonObject, jsonRecord } from "../base/json.ts";

const names = z.array(z.string().min(1));
const milliseconds = z.number().int().positive().max(2_147_483_647);
/** In ms; 0 means no limit. */
const limit = z.number().int().nonnegative().max(2_147_483_647);

/** Claude gets an object as JSON text; a string may be a path. */
const jsonOrPath = z.union([z.string().min(1), jsonObject]);

/** All optional. Without a stated default, Claude's own default applies. */
export const SessionOptions = z.strictObject({
  /** Replaces Claude's system prompt. */
  system_prompt: z.string().optional(),
  /** Added at the end of the system prompt. */
  append_system_prompt: z.string().optional(),
  /** Tools that run without a prompt, as permission rules: `Bash(git status:*)`. */
  allowed_tools: names.optional(),
  /** Tools that are denied or removed, as permission rules. */
  disallowed_tools: names.optional(),
  /** Further folders that tools may use. */
  add_dirs: names.optional(),
  /** MCP servers: an object `{mcpServers: …}` or the path of its file. */
  mcp_config: jsonOrPath.optional(),
  /** Settings: an object or the path of its file. */
  settings: jsonOrPath.optional(),
  /** Folders of plugins to load. */
  plugin_dirs: names.optional(),
  /** The limit of model calls in one turn, which ends it as `error_max_turns`. */
  max_turns: z.number().int().positive().optional(),
  /** The limit of costs in US dollars, which ends the turn as `error_max_budget_usd`. */
  max_budget_usd: z.number().positive().optional(),
  /** JSON schema of `turn_complete.structured_output`. */
  json_schema: jsonObject.optional(),
  /** The model to use while the chosen one is overloaded. */
  fallback_model: z.string().min(1).optional(),
  /** Thinking effort: `low`, `medium`, `high` and further ones of newer CLIs. */
  effort: z.string().min(1).optional(),
  /** The limit of thinking tokens in one model call. Models with adaptive thinking ignore it. */
  max_thinking_tokens: z.number().int().nonnegative().optional(),
  /** Environment variables for Claude, in addition to those of tugtalk; null removes one. */
  env: jsonRecord(z.string().nullable()).optional(),
  /** False removes API keys and tokens from the environment of Claude. Default true. */
  use_api_key: z.boolean().optional(),
  /** True sends `tool_input_delta` while a tool's input streams. Default false. */
  tool_input_deltas: z.boolean().optional(),
  /** True enables `hook_event` for all hooks. Not on 2.1.38. */
  hook_events: z.boolean().optional(),
  /** True enables the texts of foreground subagents. Not on 2.1.38. */
  forward_subagent_text: z.boolean().optional(),
  /** Time to answer a prompt before it is refused, in ms. Default: unlimited. */
  prompt_timeout_ms: milliseconds.optional(),
  /** The kinds of dialog that the host can show, by Claude's names. Default none. */
  dialogs: names.optional(),
  /** Time to the first token before the turn is stalled. Default 300,000. */
  first_token_timeout_ms: limit.optional(),
  /** Time between two stream events before the turn is stalled. Default 120,000. */
  stream_timeout_ms: limit.optional(),
  /** Time for an interrupted turn to end before Claude is stopped by signal. Default 10,000. */
  interrupt_timeout_ms: milliseconds.optional(),
  /** Timeout of each step of the shutdown. Default 2,000. */
  shutdown_grace_ms: milliseconds.optional(),
  /** The limit of queued user messages. Default 100. */
  max_queued: z.number().int().positive().max(10_000).optional(),
});
export type SessionOptions = z.infer<typeof SessionOptions>;

/** The defaults of the options that have one, in the same units. */
export const OPTION_DEFAULTS = {
  first_token_timeout_ms: 300_000,
  stream_timeout_ms: 120_000,
  interrupt_timeout_ms: 10_000,
  shutdown_grace_ms: 2_000,
  max_queued: 100,
} as const satisfies SessionOptions;
