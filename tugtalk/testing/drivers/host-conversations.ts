/** Turns for the stand-in behind a host. A conversation is some of them, one after the other. */
import {
  blockStop,
  messageStart,
  textBlock,
  textDelta,
  textStart,
  toolBlock,
} from "../../simulator/stream-events.ts";
import type { Fields } from "../../src/base/json.ts";
import {
  answered,
  asks,
  event,
  OPENING,
  out,
  permission,
  RESULT,
  says,
  toolResult,
} from "./written-conversation.ts";

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
    ...OPENING,
    ...tools.map((tool) => call(tool)),
    ...tools.map((tool) => ask(tool)),
    ...tools.toReversed().map(({ id }) => answered(id)),
    ...tools.map((tool) => end(tool)),
    out({ ...RESULT, permission_denials: [] }),
  ];
}

/** A turn that asks, takes the prompt back by itself, and ends. */
export function withdrawingTurn(tool: AskedTool): readonly object[] {
  return [
    ...OPENING,
    call(tool),
    ask(tool),
    out({ type: "control_cancel_request", request_id: tool.id }),
    end(tool),
    out({ ...RESULT, permission_denials: [] }),
  ];
}

/** A turn that streams a text in two pieces around a permission. */
export function interleavedTurn(tool: AskedTool): readonly object[] {
  return [
    ...OPENING,
    ...textOf("message-before", "before"),
    call(tool),
    ask(tool),
    ...textOf("message-beside", "beside"),
    answered(tool.id),
    end(tool),
    ...textOf("message-after", "after"),
    out({ ...RESULT, permission_denials: [] }),
  ];
}

/** A turn with this result line. */
export function endingTurn(result: Fields): readonly object[] {
  return [...OPENING, out({ ...RESULT, ...result })];
}

/** A turn in which Claude exits with this code. */
export function dyingTurn(code: number): readonly object[] {
  return [...OPENING, exit(code)];
}

/** Claude's process ends. */
export function exit(code: number): object {
  return { dir: "exit", msg: { code, signal: null } };
}

function callOf({ id, name = "Write", input = { file_path: "a" } }: AskedTool) {
  return toolBlock(`call-${id}`, name, input);
}

function call(tool: AskedTool): object {
  return says(`message-${tool.id}`, callOf(tool));
}

function ask(tool: AskedTool): object {
  return asks(tool.id, { ...permission(callOf(tool)), ...tool.request });
}

function end({ id }: AskedTool): object {
  return toolResult(`call-${id}`, "done");
}

function textOf(id: string, text: string): readonly object[] {
  return [
    event(messageStart(id)),
    event(textStart()),
    event(textDelta(text)),
    says(id, textBlock(text)),
    event(blockStop()),
    event({ type: "message_stop" }),
  ];
}
