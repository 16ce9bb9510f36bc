/**
 * The lines that Claude prints most, checked without a schema: their schemas return such a line as it is.
 * Any other line is not plain, valid or not, and `schema-lines.ts` reads it.
 */
import {
  byType,
  type Check,
  type Checks,
  either,
  integer,
  isAny,
  isFlag,
  isNumber,
  isObject,
  isText,
  listOf,
  looseObject,
  nullish,
  oneOf,
  optional,
  recordOf,
} from "../base/plain-value.ts";
import { MAX_BLOCK_INDEX } from "../messages/block-index.ts";
import type {
  AssistantBlock,
  StreamEvent,
  Usage,
  UserBlock,
  UserMessage,
} from "../messages/conversation-lines.ts";
import type { SubagentStats } from "../messages/turn-messages.ts";
import type { ClaudeLine, ClaudeLineKind, ModelUsage } from "../protocol-types.ts";

const isTexts = listOf(isText);

const lineFields = { session_id: optional(isText), uuid: optional(isText) };

const isUsage = looseObject<Usage>({
  input_tokens: nullish(isNumber),
  cache_creation_input_tokens: nullish(isNumber),
  cache_read_input_tokens: nullish(isNumber),
  output_tokens: nullish(isNumber),
});

const isModelUsage = looseObject<ModelUsage>({
  inputTokens: optional(isNumber),
  outputTokens: optional(isNumber),
  maxOutputTokens: optional(isNumber),
  contextWindow: optional(isNumber),
  cacheReadInputTokens: optional(isNumber),
  cacheCreationInputTokens: optional(isNumber),
  costUSD: optional(isNumber),
});

const isIndex = integer(0, MAX_BLOCK_INDEX);

const isStreamEvent = byType<StreamEvent>({
  message_start: {
    message: looseObject({ id: isText, model: optional(isText), usage: optional(isUsage) }),
  },
  content_block_start: {
    index: isIndex,
    content_block: looseObject({ type: isText, id: optional(isText), name: optional(isText) }),
  },
  content_block_delta: {
    index: isIndex,
    delta: looseObject({
      type: isText,
      text: optional(isText),
      thinking: optional(isText),
      partial_json: optional(isText),
    }),
  },
  content_block_stop: { index: isIndex },
  message_delta: {
    delta: optional(looseObject({ stop_reason: nullish(isText) })),
    usage: optional(isUsage),
  },
  message_stop: {},
  ping: {},
});

/** A block of an unknown kind is not plain: its schema wraps it. */
const isAssistantBlock = byType<AssistantBlock>({
  text: { text: isText },
  thinking: { thinking: isText },
  redacted_thinking: {},
  tool_use: { id: isText, name: isText, input: isObject },
});

const isUserBlock = byType<UserBlock>({
  text: { text: isText },
  tool_result: {
    tool_use_id: isText,
    content: nullish(either(isText, listOf(looseObject({ type: isText })))),
    is_error: nullish(isFlag),
  },
});

const isSubagentStats = looseObject<SubagentStats>({
  spawned: optional(isNumber),
  completed: optional(isNumber),
  failed: optional(isNumber),
});

type ToolResultMeta = NonNullable<UserMessage["tool_result_meta"]>[number];

const isToolResultMeta = looseObject<ToolResultMeta>({
  id: isText,
  permission_decision: nullish(
    looseObject<NonNullable<ToolResultMeta["permission_decision"]>>({
      decision: isText,
      source: isText,
      reason_type: nullish(isText),
    }),
  ),
  non_execution_kind: nullish(isText),
});

type PlainLines = {
  readonly [Kind in ClaudeLineKind]?: Checks<
    ClaudeLine<Kind>,
    Kind extends `system/${string}` ? never : "type"
  >;
};

/** The fields of each kind, but for a `type` that is the kind. */
const PLAIN_LINES: PlainLines = {
  "system/init": {
    type: oneOf("system"),
    subtype: oneOf("init"),
    session_id: isText,
    uuid: optional(isText),
    cwd: optional(isText),
    model: optional(isText),
    permissionMode: optional(isText),
    claude_code_version: optional(isText),
    apiKeySource: optional(isText),
    output_style: optional(isText),
    fast_mode_state: optional(isText),
    tools: optional(isTexts),
    slash_commands: optional(isTexts),
    agents: optional(isTexts),
    skills: optional(isTexts),
    plugins: optional(listOf(isAny)),
    mcp_servers: optional(listOf(looseObject({ name: isText, status: isText }))),
  },
  "system/status": {
    type: oneOf("system"),
    subtype: oneOf("status"),
    ...lineFields,
    status: nullish(isText),
    permissionMode: optional(isText),
    user_message_uuids: optional(isTexts),
    compact_result: optional(isText),
    compact_error: optional(isText),
  },
  "system/compact_boundary": {
    ...lineFields,
    type: oneOf("system"),
    subtype: oneOf("compact_boundary"),
    compact_metadata: optional(
      looseObject({
        trigger: optional(isText),
        pre_tokens: optional(isNumber),
        post_tokens: optional(isNumber),
        preserved_messages: optional(looseObject({ all_uuids: optional(isTexts) })),
      }),
    ),
  },
  assistant: {
    ...lineFields,
    parent_tool_use_id: nullish(isText),
    message: looseObject({
      id: isText,
      model: optional(isText),
      content: listOf(isAssistantBlock),
      stop_reason: nullish(isText),
      usage: optional(isUsage),
    }),
    error: nullish(isText),
    api_error_type: nullish(isText),
    context_usage: optional(isObject),
    usage_report: optional(isObject),
    supersedes: optional(isTexts),
  },
  user: {
    ...lineFields,
    parent_tool_use_id: nullish(isText),
    message: looseObject({ content: either(isText, listOf(isUserBlock)) }),
    isReplay: optional(isFlag),
    isSynthetic: optional(isFlag),
    tool_use_result: isAny,
    tool_result_meta: optional(listOf(isToolResultMeta)),
  },
  result: {
    ...lineFields,
    subtype: isText,
    is_error: isFlag,
    result: optional(isText),
    errors: optional(isTexts),
    total_cost_usd: optional(isNumber),
    num_turns: optional(isNumber),
    duration_ms: optional(isNumber),
    duration_api_ms: optional(isNumber),
    usage: optional(isUsage),
    modelUsage: optional(recordOf(isModelUsage)),
    model_usage_since_last_result: optional(recordOf(isModelUsage)),
    permission_denials: optional(listOf(looseObject({ tool_name: isText, tool_use_id: isText }))),
    api_error_status: nullish(isNumber),
    api_error_type: nullish(isText),
    ttft_ms: optional(isNumber),
    ttft_stream_ms: optional(isNumber),
    time_to_request_ms: optional(isNumber),
    first_content_frame_ms: optional(isNumber),
    subagent_stats: optional(isSubagentStats),
    terminal_reason: nullish(isText),
    stop_reason: nullish(isText),
    structured_output: isAny,
    origin: nullish(looseObject({ kind: isText })),
  },
  stream_event: {
    ...lineFields,
    parent_tool_use_id: nullish(isText),
    event: isStreamEvent,
  },
  control_request: { request_id: isText, request: looseObject({ subtype: isText }) },
  control_response: {
    response: looseObject({
      subtype: oneOf("success", "error"),
      request_id: optional(isText),
      response: nullish(isObject),
      error: optional(isText),
      error_code: optional(isText),
    }),
  },
  control_cancel_request: { request_id: isText },
  keep_alive: {},
};

const CHECKS: ReadonlyMap<string, Check<object>> = new Map(
  Object.entries<Checks<object>>(PLAIN_LINES).map(([kind, fields]) => [kind, looseObject(fields)]),
);

/** Whether a line of this kind is one that its schema returns as it is. */
export function isPlainLine(kind: string, line: unknown): line is ClaudeLine {
  return CHECKS.get(kind)?.(line) === true;
}
