/**
 * Claude's lines that carry the conversation: `assistant`, `user` and `stream_event`, with the content
 * blocks and the events of the Messages API in them. Protocol reference §3, §9.
 */
import { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import { line, nullish, optional, variant } from "./claude-fields.ts";
import { number, text } from "./message-schemas.ts";

/** The tool call of the subagent that a line comes from; null or absent for the main conversation. */
const parentToolUseId = z.string().nullish();

const TextBlock = variant("text", { text });
const ThinkingBlock = variant("thinking", { thinking: text });
const RedactedThinkingBlock = variant("redacted_thinking", {});
const ToolUseBlock = variant("tool_use", { id: text, name: text, input: jsonObject });

const ModelName = z.looseObject({ model: text });
/** The following blocks come from another model, because the first one refused or failed. */
const FallbackBlock = variant("fallback", { from: ModelName, to: ModelName });

/** The result of one tool call; `is_error` may be absent on success (§9). */
export const ToolResultBlock = variant("tool_result", {
  tool_use_id: text,
  content: z.union([text, z.array(z.looseObject({ type: text }))]).nullish(),
  is_error: z.boolean().nullish(),
});
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;

/** A block of any other kind. */
const OtherBlock = z
  .looseObject({ type: text })
  .transform((raw) => ({ type: "other" as const, kind: raw.type, raw }));

const AssistantBlock = z.union([
  TextBlock,
  ThinkingBlock,
  RedactedThinkingBlock,
  ToolUseBlock,
  FallbackBlock,
  OtherBlock,
]);
export type AssistantBlock = z.infer<typeof AssistantBlock>;

const UserBlock = z.union([TextBlock, ToolResultBlock, OtherBlock]);
export type UserBlock = z.infer<typeof UserBlock>;

export const Usage = z
  .looseObject({
    input_tokens: number.nullish().describe("Input that was not cached."),
    cache_creation_input_tokens: number.nullish().describe("Input that was written to the cache."),
    cache_read_input_tokens: number.nullish().describe("Input that was read from the cache."),
    output_tokens: number.nullish().describe("Output, with thinking."),
  })
  .meta({
    id: "Usage",
    description: "Token counts, by the Messages API. Further fields pass through.",
  });
export type Usage = z.infer<typeof Usage>;

/** One complete block of a response; the blocks of one response share `message.id` (§3b). */
export const AssistantMessage = line("assistant", {
  parent_tool_use_id: parentToolUseId,
  message: z.looseObject({
    id: text,
    model: text.optional(),
    content: z.array(AssistantBlock),
    stop_reason: nullish(text),
    usage: optional(Usage),
  }),
  error: nullish(text),
  api_error_type: nullish(text),
  context_usage: optional(jsonObject),
  usage_report: optional(jsonObject),
  supersedes: optional(z.array(text)),
});
export type AssistantMessage = z.infer<typeof AssistantMessage>;

/** How a tool call was permitted, and why it did not run. */
const ToolResultMeta = z.looseObject({
  id: text,
  permission_decision: nullish(
    z.looseObject({ decision: text, source: text, reason_type: nullish(text) }),
  ),
  non_execution_kind: nullish(text),
});

/** Tool results, echoes of host messages, and texts that Claude adds for the user (§3c). */
export const UserMessage = line("user", {
  parent_tool_use_id: parentToolUseId,
  message: z.looseObject({ content: z.union([text, z.array(UserBlock)]) }),
  isReplay: optional(z.boolean()),
  isSynthetic: optional(z.boolean()),
  tool_use_result: z.unknown().optional(),
  tool_result_meta: optional(z.array(ToolResultMeta)),
});
export type UserMessage = z.infer<typeof UserMessage>;

/** The largest index of a block: small enough that sums of indexes are exact. */
const MAX_BLOCK_INDEX = 2 ** 31 - 1;
const index = z.number().int().nonnegative().max(MAX_BLOCK_INDEX);

/** A streaming event of the Messages API (§3e). */
export const StreamEvent = z.discriminatedUnion("type", [
  variant("message_start", {
    message: z.looseObject({ id: text, model: optional(text), usage: optional(Usage) }),
  }),
  variant("content_block_start", {
    index,
    content_block: z.looseObject({ type: text, id: text.optional(), name: text.optional() }),
  }),
  variant("content_block_delta", {
    index,
    delta: z.looseObject({
      type: text,
      text: text.optional(),
      thinking: text.optional(),
      partial_json: text.optional(),
    }),
  }),
  variant("content_block_stop", { index }),
  variant("message_delta", {
    delta: optional(z.looseObject({ stop_reason: text.nullish() })),
    usage: optional(Usage),
  }),
  variant("message_stop", {}),
  variant("ping", {}),
]);
export type StreamEvent = z.infer<typeof StreamEvent>;

/** A stream event; no CLI prints them for subagents (§15). */
export const StreamEventMessage = line("stream_event", {
  parent_tool_use_id: parentToolUseId,
  event: StreamEvent,
});
export type StreamEventMessage = z.infer<typeof StreamEventMessage>;
