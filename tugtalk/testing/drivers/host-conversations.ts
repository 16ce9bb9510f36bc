/** Turns for the stand-in behind a host. A conversation is some of them, one after the other. */
import type { Fields } from "../../src/base/json.ts";
import { INIT, into, out, RESULT, SESSION } from "./written-conversation.ts";

/** A call of a tool for which Claude asks. Two turns of one conversation need different ids. */
export type AskedTool = {
  readonly id: string;
  readonly name?: string;
  readonly input?: Fields;
  /** Further fields of `can_use_tool`. */
  readonly request?: Fields;
};

/**
 * A turn that asks for a permission, or for answers if the tool is AskUserQuestion, and ends after that.
 * Of several tools, the last is to be answered first.
 */
export function askingTurn(...tools: readonly AskedTool[]): readonly object[] {
  return [
    into({ type: "user" }),
    out(INIT),
    ...tools.map((tool) => out(callOf(tool))),
    ...tools.map((tool) => out(requestOf(tool))),
    ...tools.toReversed().map(({ id }) => answerTo(id)),
    ...tools.map((tool) => out(resultOf(tool))),
    out({ ...RESULT, permission_denials: [] }),
  ];
}

/** A turn that asks, takes the prompt back by itself, and ends. */
export function withdrawingTurn(tool: AskedTool): readonly object[] {
  return [
    into({ type: "user" }),
    out(INIT),
    out(callOf(tool)),
    out(requestOf(tool)),
    out({ type: "control_cancel_request", request_id: tool.id }),
    out(resultOf(tool)),
    out({ ...RESULT, permission_denials: [] }),
  ];
}

/** A turn that streams a text in two pieces around a permission. */
export function interleavedTurn(tool: AskedTool): readonly object[] {
  return [
    into({ type: "user" }),
    out(INIT),
    ...textOf("message-before", "before"),
    out(callOf(tool)),
    out(requestOf(tool)),
    ...textOf("message-beside", "beside"),
    answerTo(tool.id),
    out(resultOf(tool)),
    ...textOf("message-after", "after"),
    out({ ...RESULT, permission_denials: [] }),
  ];
}

/** A turn with this result line. */
export function endingTurn(result: Fields): readonly object[] {
  return [into({ type: "user" }), out(INIT), out({ ...RESULT, ...result })];
}

/** A turn in which Claude exits with this code. */
export function dyingTurn(code: number): readonly object[] {
  return [into({ type: "user" }), out(INIT), exit(code)];
}

/** Claude's process ends. */
export function exit(code: number): object {
  return { dir: "exit", msg: { code, signal: null } };
}

const TOOL = { name: "Write", input: { file_path: "a" } };

function answerTo(id: string): object {
  return into({ type: "control_response", response: { request_id: id } });
}

function callOf(tool: AskedTool): Fields {
  const { name, input } = { ...TOOL, ...tool };
  const block = { type: "tool_use", id: `call-${tool.id}`, name, input };
  return {
    type: "assistant",
    parent_tool_use_id: null,
    session_id: SESSION,
    message: { id: `message-${tool.id}`, content: [block] },
  };
}

function requestOf(tool: AskedTool): Fields {
  const { name, input } = { ...TOOL, ...tool };
  return {
    type: "control_request",
    request_id: tool.id,
    request: {
      subtype: "can_use_tool",
      tool_name: name,
      input,
      tool_use_id: `call-${tool.id}`,
      ...tool.request,
    },
  };
}

function resultOf({ id }: AskedTool): Fields {
  const block = { type: "tool_result", tool_use_id: `call-${id}`, content: "done" };
  return {
    type: "user",
    parent_tool_use_id: null,
    session_id: SESSION,
    message: { content: [block] },
  };
}

function textOf(id: string, text: string): readonly object[] {
  const event = (body: Fields) =>
    out({ type: "stream_event", session_id: SESSION, parent_tool_use_id: null, event: body });
  const block = { type: "text", text: "" };
  return [
    event({ type: "message_start", message: { id, content: [] } }),
    event({ type: "content_block_start", index: 0, content_block: block }),
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    out({
      type: "assistant",
      parent_tool_use_id: null,
      session_id: SESSION,
      message: { id, content: [{ type: "text", text }] },
    }),
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "message_stop" }),
  ];
}
