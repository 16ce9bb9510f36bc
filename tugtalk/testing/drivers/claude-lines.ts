/**
 * Lines of Claude with ids and texts of a test. The envelopes come from recordings, the contents are
 * made up.
 */
import type { Fields } from "../../src/base/json.ts";
import { captured } from "../captures/captured-line.ts";

/** The session that these lines belong to. */
export const SESSION_ID = "00000000-0000-4000-8000-000000000001";

const envelope = { session_id: SESSION_ID, parent_tool_use_id: null };

/** A turn begins. */
export function initLine(fields: Fields = {}): Fields {
  return captured("init 330", { session_id: SESSION_ID, ...fields });
}

/** A turn ends. */
export function resultLine(fields: Fields = {}): Fields {
  return captured("result success 330", { session_id: SESSION_ID, ...fields });
}

/** The same, as an interrupt ends it. */
export function interruptedLine(fields: Fields = {}): Fields {
  return captured("result interrupted 330", { session_id: SESSION_ID, ...fields });
}

/** The end of a turn that Claude started by itself. */
export function wakeResultLine(): Fields {
  return captured("wake result", { session_id: SESSION_ID });
}

/** The end of a task without a known tool call: the next `init` starts another turn. */
export function wakeUpLine(): Fields {
  return captured("task notification", { tool_use_id: undefined });
}

/** Claude's echo of a host message. */
export function echoLine(messageId: string, text: string): Fields {
  const message = { role: "user", content: [{ type: "text", text }] };
  return { type: "user", message, ...envelope, uuid: messageId, isReplay: true };
}

/** One event of the model's stream. */
export function eventLine(event: Fields): Fields {
  return { type: "stream_event", event, ...envelope };
}

export const messageStart = (id: string) => ({ type: "message_start", message: { id } });
export const textStart = (index = 0) => blockStart(index, { type: "text", text: "" });
export const blockStart = (index: number, content_block: Fields) => ({
  type: "content_block_start",
  index,
  content_block,
});
export const textDelta = (text: string, index = 0) =>
  blockDelta(index, { type: "text_delta", text });
export const blockDelta = (index: number, delta: Fields) => ({
  type: "content_block_delta",
  index,
  delta,
});
export const blockStop = (index = 0) => ({ type: "content_block_stop", index });
export const messageEnd = [
  { type: "message_delta", delta: { stop_reason: "end_turn" } },
  { type: "message_stop" },
];

/** One finished block. */
export function assistantLine(id: string, block: Fields, fields: Fields = {}): Fields {
  const message = { id, model: "claude-opus-5-5", role: "assistant", content: [block] };
  return { type: "assistant", message, ...envelope, ...fields };
}

export const textBlock = (text: string) => ({ type: "text", text });
export const toolBlock = (id: string, name: string, input: Fields = {}) => ({
  type: "tool_use",
  id,
  name,
  input,
});

/** The output of a local command, as newer CLIs print it. */
export function commandOutputLine(text: string): Fields {
  const { message, ...line } = captured("command output 330");
  const content = [textBlock(text)];
  return { ...line, session_id: SESSION_ID, message: { ...(message as Fields), content } };
}

/** The outcome of a tool call. */
export function toolResultLine(toolUseId: string, content: unknown, fields: Fields = {}): Fields {
  const block = { type: "tool_result", tool_use_id: toolUseId, content };
  return { type: "user", message: { role: "user", content: [block] }, ...envelope, ...fields };
}

/** Claude asks whether Write may run. */
export function promptLine(requestId: string, fields: Fields = {}): Fields {
  const { request } = captured("can_use_tool 330");
  return {
    type: "control_request",
    request_id: requestId,
    request: { ...(request as Fields), ...fields },
  };
}

/** Claude asks two questions; the second takes several answers. */
export function questionLine(requestId: string): Fields {
  const options = ["Red", "Blue", "Sea, green"].map((label) => ({ label, description: label }));
  const input = {
    questions: [
      { question: "Which colour?", header: "Colour", options },
      { question: "Which colours?", header: "Colours", options, multiSelect: true },
    ],
  };
  return promptLine(requestId, { tool_name: "AskUserQuestion", input });
}
