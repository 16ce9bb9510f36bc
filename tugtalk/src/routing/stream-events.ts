/**
 * Second tier: what one event of the model's stream means, once its envelope is off. Pure: which
 * message is open is told by the caller, and what is open is kept in `blocks.ts`.
 * Protocol reference §3e, §14; D03, D12, PN-16.
 */
import type { StreamEvent } from "../messages/conversation-lines.ts";
import type { OutboundDraft } from "../types.ts";

/** Where an event falls: the message that is open, and the tool call if its block is one. */
export type StreamContext = {
  readonly msg_id: string;
  readonly tool_use_id?: string | undefined;
  readonly parent_tool_use_id?: string | undefined;
};

/** What one event means: messages for the host. */
export type EventMappingResult = { readonly messages: readonly OutboundDraft[] };

const nothing: EventMappingResult = { messages: [] };

/** Says what one event means. Starts and stops of messages and of text blocks mean nothing by themselves. */
export function mapStreamEvent(event: StreamEvent, place: StreamContext): EventMappingResult {
  switch (event.type) {
    case "content_block_start":
      return fromStart(event, place);
    case "content_block_delta":
      return fromDelta(event, place);
    case "message_start":
    case "content_block_stop":
    case "message_delta":
    case "message_stop":
    case "ping":
      return nothing;
  }
}

type Start = Extract<StreamEvent, { type: "content_block_start" }>;
type Delta = Extract<StreamEvent, { type: "content_block_delta" }>;

/** A tool's name is known before its input. */
function fromStart({ index, content_block }: Start, place: StreamContext): EventMappingResult {
  const { type, id, name } = content_block;
  if (type !== "tool_use" || id === undefined || name === undefined) return nothing;
  const { msg_id, parent_tool_use_id } = place;
  return one({
    type: "tool_use",
    msg_id,
    block_index: index,
    tool_use_id: id,
    tool_name: name,
    status: "streaming",
    ...(parent_tool_use_id !== undefined && { parent_tool_use_id }),
  });
}

function fromDelta({ index, delta }: Delta, place: StreamContext): EventMappingResult {
  switch (delta.type) {
    case "text_delta":
      return writing("assistant_text", delta.text, index, place);
    case "thinking_delta":
      return writing("thinking_text", delta.thinking, index, place);
    case "input_json_delta":
      return fromInputDelta(delta.partial_json, place);
    case "signature_delta":
    case "citations_delta":
      return nothing;
    default:
      return one({
        type: "unknown_event",
        original_type: "stream_event",
        original_subtype: delta.type,
        raw: delta,
      });
  }
}

function writing(
  type: "assistant_text" | "thinking_text",
  text: string | undefined,
  index: number,
  { msg_id, parent_tool_use_id }: StreamContext,
): EventMappingResult {
  if (text === undefined || text === "") return nothing;
  return one({
    type,
    msg_id,
    block_index: index,
    text,
    is_partial: true,
    status: "partial",
    ...(parent_tool_use_id !== undefined && { parent_tool_use_id }),
  });
}

function fromInputDelta(partialJson: string | undefined, place: StreamContext): EventMappingResult {
  const { tool_use_id, parent_tool_use_id } = place;
  if (tool_use_id === undefined || partialJson === undefined || partialJson === "") return nothing;
  return one({
    type: "tool_input_delta",
    tool_use_id,
    partial_json: partialJson,
    ...(parent_tool_use_id !== undefined && { parent_tool_use_id }),
  });
}

function one(message: OutboundDraft): EventMappingResult {
  return { messages: [message] };
}
