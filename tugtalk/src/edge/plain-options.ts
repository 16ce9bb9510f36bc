/** The options of a session, checked without their schema. */
import {
  either,
  exactObject,
  integer,
  isFlag,
  isName,
  isNull,
  isNumber,
  isObject,
  isText,
  listOf,
  optional,
  recordOf,
  refined,
} from "../base/plain-value.ts";
import type { SessionOptions } from "../messages/options.ts";

const isPositive = refined(isNumber, (value) => value > 0);
const isNames = listOf(isName);
const isJsonOrPath = either(isName, isObject);
const isMilliseconds = integer(1, 2_147_483_647);
const isLimit = integer(0, 2_147_483_647);

const hasOptions = exactObject<SessionOptions>({
  system_prompt: optional(isText),
  append_system_prompt: optional(isText),
  allowed_tools: optional(isNames),
  disallowed_tools: optional(isNames),
  add_dirs: optional(isNames),
  mcp_config: optional(isJsonOrPath),
  settings: optional(isJsonOrPath),
  plugin_dirs: optional(isNames),
  max_turns: optional(integer(1, Number.MAX_SAFE_INTEGER)),
  max_budget_usd: optional(isPositive),
  json_schema: optional(isObject),
  fallback_model: optional(isName),
  effort: optional(isName),
  max_thinking_tokens: optional(integer(0, Number.MAX_SAFE_INTEGER)),
  env: optional(recordOf(either(isText, isNull))),
  use_api_key: optional(isFlag),
  tool_input_deltas: optional(isFlag),
  hook_events: optional(isFlag),
  forward_subagent_text: optional(isFlag),
  prompt_timeout_ms: optional(isMilliseconds),
  dialogs: optional(isNames),
  first_token_timeout_ms: optional(isLimit),
  stream_timeout_ms: optional(isLimit),
  interrupt_timeout_ms: optional(isMilliseconds),
  shutdown_grace_ms: optional(isMilliseconds),
  max_queued: optional(integer(1, 10_000)),
});

export const isPlainOptions = refined(hasOptions, isNulFree);

/** Whether a value can be an argument or an environment variable: no string and no key in it has a NUL. */
export function isNulFree(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isNulFree(key) && isNulFree(inner));
}
