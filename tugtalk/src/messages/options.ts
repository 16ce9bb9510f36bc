/**
 * The table of `protocol_init.options`: what a host may choose for a session. Strict, because a
 * misspelt safety option must not pass unseen. Values reach Claude as argv, as environment, in
 * `initialize` or not at all (those that end in `_ms`, `max_queued` and `tool_input_deltas` are
 * tugtalk's own).
 */
import { z } from "zod";
import { jsonObject, jsonRecord } from "../base/json.ts";

const names = z.array(z.string().min(1));
const milliseconds = z.number().int().positive().max(2_147_483_647);
/** 0: no limit. */
const limit = z.number().int().nonnegative().max(2_147_483_647);

/** A value of this kind goes to Claude as JSON text, or as the path of a file that holds it. */
const jsonOrPath = z.union([z.string().min(1), jsonObject]);

/** The choices of a session. All optional; absent means Claude's own default unless one is given. */
export const SessionOptions = z.strictObject({
  /** Replaces Claude's system prompt. */
  system_prompt: z.string().optional(),
  /** Added at the end of the system prompt. */
  append_system_prompt: z.string().optional(),
  /** Tools that run unasked, as permission rules: `Bash(git status:*)`. */
  allowed_tools: names.optional(),
  /** Tools that are refused or taken away, as permission rules. */
  disallowed_tools: names.optional(),
  /** Further folders that tools may touch. */
  add_dirs: names.optional(),
  /** MCP servers: an object `{mcpServers: …}` or the path of a file that holds one. */
  mcp_config: jsonOrPath.optional(),
  /** Settings: an object or the path of a file that holds one. */
  settings: jsonOrPath.optional(),
  /** Folders of plugins to load. */
  plugin_dirs: names.optional(),
  /** The most model calls in one turn; then the turn ends as `error_max_turns`. */
  max_turns: z.number().int().positive().optional(),
  /** The most US dollars; then the turn ends as `error_max_budget_usd`. */
  max_budget_usd: z.number().positive().optional(),
  /** JSON schema of `turn_complete.structured_output`. */
  json_schema: jsonObject.optional(),
  /** The model to go on with when the chosen one is overloaded. */
  fallback_model: z.string().min(1).optional(),
  /** How hard to think: `low`, `medium`, `high` and what newer CLIs add. For models that know it. */
  effort: z.string().min(1).optional(),
  /** The most thinking tokens of one model call. Models that choose for themselves ignore it. */
  max_thinking_tokens: z.number().int().nonnegative().optional(),
  /** Environment entries for Claude, over tugtalk's own; null removes one. */
  env: jsonRecord(z.string().nullable()).optional(),
  /** False keeps API keys and tokens of the environment away from Claude. Default true. */
  use_api_key: z.boolean().optional(),
  /** True sends `tool_input_delta` while a tool's input streams. Default false. */
  tool_input_deltas: z.boolean().optional(),
  /** True asks Claude for news of all hooks. Not on 2.1.38. */
  hook_events: z.boolean().optional(),
  /** True asks Claude for the texts of foreground subagents too. Not on 2.1.38. */
  forward_subagent_text: z.boolean().optional(),
  /** How long a person may take to answer a prompt, in ms; then it is refused. Default: for ever. */
  prompt_timeout_ms: milliseconds.optional(),
  /** The kinds of dialog that the host can show, as Claude names them. Default none. */
  dialogs: names.optional(),
  /** How long the model may let an answer wait, in ms; then the turn is stalled. 0: for ever. Default 300,000. */
  first_token_timeout_ms: limit.optional(),
  /** How long the model may be silent within an answer, in ms; then the turn is stalled. 0: for ever. Default 120,000. */
  stream_timeout_ms: limit.optional(),
  /** How long an interrupted turn may go on before Claude is stopped by signal. Default 10,000. */
  interrupt_timeout_ms: milliseconds.optional(),
  /** The patience of each step of the shutdown. Default 2,000. */
  shutdown_grace_ms: milliseconds.optional(),
  /** The most user messages that may wait. Default 100. */
  max_queued: z.number().int().positive().max(10_000).optional(),
});
export type SessionOptions = z.infer<typeof SessionOptions>;

/** What is in force where the host chose nothing; the units are those of `SessionOptions`. */
export const OPTION_DEFAULTS = {
  first_token_timeout_ms: 300_000,
  stream_timeout_ms: 120_000,
  interrupt_timeout_ms: 10_000,
  shutdown_grace_ms: 2_000,
  max_queued: 100,
} as const satisfies SessionOptions;
