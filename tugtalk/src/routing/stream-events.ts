/**
 * Second tier: the messages for one event of the model's stream, without its envelope. Pure: the caller
 * provides the message and the tool call that are open (`message-blocks.ts`).
 * Protocol reference §3e, §14.
 */
import type { StreamEvent } from "../messages/conversation-lines.ts";
import type { OutboundDraft } from "../types.ts";

/** The open message, and the tool call if the block of the event is one. */
export type StreamContext = {
  readonly msg_id: string;
  readonly tool_use_id?: string | undefined;
  readonly parent_tool_use_id?: string | undefined;
};

const NONE: readonly OutboundDraft[] = [];

/** The messages of one event. Starts and stops of messages and of text blocks have none. */
export function mapStreamEvent(
  event: StreamEvent,
  context: StreamContext,
): readonly OutboundDraft[] {
  switch (event.type) {
    case "content_block_start":
      return fromStart(event, context);
    case "content_block_delta":
      return fromDelta(event, context);
    case "message_start":
    case "content_block_stop":
    case "message_delta":
    case "message_stop":
    case "ping":
      return NONE;
  }
}

type Start = Extract<StreamEvent, { type: "content_block_start" }>;
type Delta = Extract<StreamEvent, { type: "content_block_delta" }>;

/** The name of a tool is known before its input. */
function fromStart(
  { index, content_block }: Start,
  context: StreamContext,
): readonly OutboundDraft[] {
  const { type, id: tool_use_id, name: tool_name } = content_block;
  if (type !== "tool_use" || tool_use_id === undefined || tool_name === undefined) return NONE;
  const key = { msg_id: context.msg_id, block_index: index };
  return one({ type, ...key, tool_use_id, tool_name, status: "streaming" }, context);
}

function fromDelta({ index, delta }: Delta, context: StreamContext): readonly OutboundDraft[] {
  switch (delta.type) {
    case "text_delta":
      return fromText("assistant_text", delta.text, index, context);
    case "thinking_delta":
      return fromText("thinking_text", delta.thinking, index, context);
    case "input_json_delta":
      return fromInputDelta(delta.partial_json, context);
    case "signature_delta":
    case "citations_delta":
      return NONE;
    default: {
      const kind = { original_type: "stream_event", original_subtype: delta.type };
      return one({ type: "unknown_event", ...kind, raw: delta }, context);
    }
  }
}

function fromText(
  type: "assistant_text" | "thinking_text",
  text: string | undefined,
  block_index: number,
  context: StreamContext,
): readonly OutboundDraft[] {
  if (text === undefined || text === "") return NONE;
  const { msg_id } = context;
  return one({ type, msg_id, block_index, text, is_partial: true, status: "partial" }, context);
}

function fromInputDelta(partial_json = "", context: StreamContext): readonly OutboundDraft[] {
  const { tool_use_id } = context;
  if (tool_use_id === undefined || partial_json === "") return NONE;
  return one({ type: "tool_input_delta", tool_use_id, partial_json }, context);
}

function one(
  message: OutboundDraft,
  { parent_tool_use_id }: StreamContext,
): readonly OutboundDraft[] {
  const isOfSubagent = parent_tool_use_id !== undefined;
  return [isOfSubagent ? { ...message, parent_tool_use_id } : message];
}
