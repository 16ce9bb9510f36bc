/**
 * Claude's lines that carry the conversation: `assistant`, `user` and `stream_event`, with the content
 * blocks and the events of the Messages API in them. Protocol reference §3, §9.
 */
import { z } from "zod";
import { jsonObject } from "../base/json.ts";

const text = z.string();
const number = z.number();
/** The tool call whose subagent a line comes from; null or absent for the main conversation. */
const parentToolUseId = z.string().nullish();

/** Fields that most kinds of line have. */
export const lineFields = { session_id: text.optional(), uuid: text.optional() };

const TextBlock = z.looseObject({ type: z.literal("text"), text });
const ThinkingBlock = z.looseObject({ type: z.literal("thinking"), thinking: text });
const RedactedThinkingBlock = z.looseObject({ type: z.literal("redacted_thinking") });
const ToolUseBlock = z.looseObject({
  type: z.literal("tool_use"),
  id: text,
  name: text,
  input: jsonObject,
});

const ModelName = z.looseObject({ model: text });
/** From here on another model writes, because the first one refused or could not. */
const FallbackBlock = z.looseObject({
  type: z.literal("fallback"),
  from: ModelName,
  to: ModelName,
});

/** The outcome of one tool call; `is_error` may be absent on success (§9). */
export const ToolResultBlock = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: text,
  content: z.union([text, z.array(z.looseObject({ type: text }))]).nullish(),
  is_error: z.boolean().nullish(),
});
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;

/** A block of a kind that has no case of its own. */
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

/** Token counts of one model call. */
export const Usage = z.looseObject({
  input_tokens: number.nullish(),
  cache_creation_input_tokens: number.nullish(),
  cache_read_input_tokens: number.nullish(),
  output_tokens: number.nullish(),
});
export type Usage = z.infer<typeof Usage>;

/** One finished block of a model's answer; the blocks of one answer share `message.id` (§3b). */
export const AssistantMessage = z.looseObject({
  type: z.literal("assistant"),
  ...lineFields,
  parent_tool_use_id: parentToolUseId,
  message: z.looseObject({ id: text, model: text.optional(), content: z.array(AssistantBlock) }),
  error: text.nullish().catch(undefined),
  context_usage: jsonObject.optional().catch(undefined),
  usage_report: jsonObject.optional().catch(undefined),
  supersedes: z.array(text).optional().catch(undefined),
});
export type AssistantMessage = z.infer<typeof AssistantMessage>;

/** Tool results, echoes of host messages, and texts that Claude puts in the user's mouth (§3c). */
export const UserMessage = z.looseObject({
  type: z.literal("user"),
  ...lineFields,
  parent_tool_use_id: parentToolUseId,
  message: z.looseObject({ content: z.union([text, z.array(UserBlock)]) }),
  isReplay: z.boolean().optional().catch(undefined),
  isSynthetic: z.boolean().optional().catch(undefined),
  tool_use_result: z.unknown().optional(),
});
export type UserMessage = z.infer<typeof UserMessage>;

/** The largest index of a block: room for all that can be, and for sums of them. */
export const MAX_BLOCK_INDEX = 2 ** 31 - 1;

const index = z.number().int().nonnegative().max(MAX_BLOCK_INDEX);

/** An event of the Messages API, as it streams (§3e). */
export const StreamEvent = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("message_start"),
    message: z.looseObject({
      id: text,
      model: text.optional().catch(undefined),
      usage: Usage.optional().catch(undefined),
    }),
  }),
  z.looseObject({
    type: z.literal("content_block_start"),
    index,
    content_block: z.looseObject({ type: text, id: text.optional(), name: text.optional() }),
  }),
  z.looseObject({
    type: z.literal("content_block_delta"),
    index,
    delta: z.looseObject({
      type: text,
      text: text.optional(),
      thinking: text.optional(),
      partial_json: text.optional(),
    }),
  }),
  z.looseObject({ type: z.literal("content_block_stop"), index }),
  z.looseObject({
    type: z.literal("message_delta"),
    delta: z.looseObject({ stop_reason: text.nullish() }).optional().catch(undefined),
    usage: Usage.optional().catch(undefined),
  }),
  z.looseObject({ type: z.literal("message_stop") }),
  z.looseObject({ type: z.literal("ping") }),
]);
export type StreamEvent = z.infer<typeof StreamEvent>;

/** The envelope of a stream event; never seen for a subagent (§15). */
export const StreamEventMessage = z.looseObject({
  type: z.literal("stream_event"),
  ...lineFields,
  parent_tool_use_id: parentToolUseId,
  event: StreamEvent,
});
export type StreamEventMessage = z.infer<typeof StreamEventMessage>;
