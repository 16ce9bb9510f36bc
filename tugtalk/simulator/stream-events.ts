/** The events of a streamed message, and the blocks of a finished one, in the API's form. */
import type { Fields } from "../src/base/json.ts";

export type StreamEvent = Fields & { readonly type: string };

export const messageStart = (id: string) => ({ type: "message_start", message: { id } });

export const blockStart = (index: number, content_block: Fields) => ({
  type: "content_block_start",
  index,
  content_block,
});

export const textStart = (index = 0) => blockStart(index, textBlock(""));

export const blockDelta = (index: number, delta: Fields) => ({
  type: "content_block_delta",
  index,
  delta,
});

export const textDelta = (text: string, index = 0) =>
  blockDelta(index, { type: "text_delta", text });

export const blockStop = (index = 0) => ({ type: "content_block_stop", index });

const USAGE = {
  input_tokens: 100,
  cache_creation_input_tokens: 400,
  cache_read_input_tokens: 1500,
  output_tokens: 42,
};

/** The two events after the last block. */
export const messageEnd: readonly StreamEvent[] = [
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: USAGE,
  },
  { type: "message_stop" },
];

export const textBlock = (text: string) => ({ type: "text", text });

export const toolBlock = (id: string, name: string, input: Fields = {}) => ({
  type: "tool_use",
  id,
  name,
  input,
});

export const resultBlock = (tool_use_id: string, content: unknown) => ({
  type: "tool_result",
  tool_use_id,
  content,
});
