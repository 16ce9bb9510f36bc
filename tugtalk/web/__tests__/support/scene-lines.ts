/** The lines of written conversations in short: turns, replies, tools and requests of Claude. */
import { into, out } from "../../../testing/drivers/written-conversation.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Claude waits for this for ever: the scene stays as it is. */
export const HOLD = into({ type: "nothing that comes" });

/** The lines of a turn that does not end. */
export function opened(...lines: readonly object[]): readonly object[] {
  return [into({ type: "user" }), { dir: "open", msg: {} }, ...lines];
}

export function turn(...lines: readonly object[]): readonly object[] {
  return [...opened(...lines), { dir: "end", msg: {} }];
}

export function reply(...content: readonly Fields[]): object {
  return { dir: "reply", msg: { content, pieceChars: 400 } };
}

/** A message that stops after this many deltas, of 40 characters each. */
export function cutReply(deltas: number, ...content: readonly Fields[]): object {
  return { dir: "reply", msg: { content, pieceChars: 40, cut: { at: { afterDeltas: deltas } } } };
}

/** A whole message of the agent that this call started. */
export function agentReply(parent: string, ...content: readonly Fields[]): object {
  return { dir: "reply", msg: { content, parent } };
}

export const text = (words: string): Fields => ({ type: "text", text: words });

export const thought = (words: string): Fields => ({ type: "thinking", thinking: words });

export function call(id: string, name: string, input: Fields): Fields {
  return { type: "tool_use", id, name, input };
}

/** The result of a tool, as text or blocks, and its structured form. */
export function result(id: string, content: unknown, structured?: unknown): object {
  const block = { tool_use_id: id, type: "tool_result", content };
  return userLine(null, block, structured);
}

export function agentResult(parent: string, id: string, content: unknown): object {
  return userLine(parent, { tool_use_id: id, type: "tool_result", content });
}

export function failedResult(id: string, content: string): object {
  const block = { tool_use_id: id, type: "tool_result", content, is_error: true };
  return userLine(null, block, `Error: ${content}`);
}

function userLine(parent: string | null, block: Fields, structured?: unknown): object {
  return out({
    type: "user",
    message: { role: "user", content: [block] },
    parent_tool_use_id: parent,
    session_id: "$session",
    uuid: "$new",
    ...(structured !== undefined && { tool_use_result: structured }),
  });
}

export function system(subtype: string, fields: Fields): object {
  return out({ type: "system", subtype, ...fields, session_id: "$session", uuid: "$new" });
}

/** A request of Claude to a person. */
export function asks(requestId: string, request: Fields): object {
  return out({ type: "control_request", request_id: requestId, request });
}

export function answered(requestId: string): object {
  return into({ type: "control_response", response: { request_id: requestId } });
}

export function permission(id: string, name: string, input: Fields, more: Fields = {}): Fields {
  return { subtype: "can_use_tool", tool_name: name, input, tool_use_id: id, ...more };
}
