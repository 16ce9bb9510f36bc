/** Turns in which Claude calls tools, for the stand-in behind a host. */
import {
  INIT,
  into,
  out,
  RESULT,
  SESSION,
} from "../../../../testing/drivers/written-conversation.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One call of a tool, with its result. */
export type PlayedCall = {
  readonly id: string;
  readonly name: string;
  readonly input: Fields;
  /** The result that Claude reads; without it the call has none. */
  readonly result?: string | readonly object[];
  readonly isError?: boolean;
  /** `tool_use_result`. */
  readonly structured?: unknown;
  /** The call of the agent that makes this one. */
  readonly parent?: string;
  /** The call itself was made before. */
  readonly isResultOnly?: boolean;
};

/** A turn that makes these calls, one after the other, and ends. */
export function toolTurn(...calls: readonly PlayedCall[]): readonly object[] {
  return [...openTurn(...calls), out({ ...RESULT, permission_denials: [] })];
}

/** The same turn before its end. */
function openTurn(...calls: readonly PlayedCall[]): readonly object[] {
  return [into({ type: "user" }), out(INIT), ...calls.flatMap(linesOf)];
}

function linesOf(call: PlayedCall): readonly object[] {
  const { result, isResultOnly = false } = call;
  return [
    ...(isResultOnly ? [] : [callOf(call)]),
    ...(result === undefined ? [] : [resultOf(call)]),
  ];
}

export function callOf({ id, name, input, parent }: PlayedCall): object {
  return out({
    type: "assistant",
    parent_tool_use_id: parent ?? null,
    session_id: SESSION,
    message: { id: `message-${id}`, content: [{ type: "tool_use", id, name, input }] },
  });
}

function resultOf(call: PlayedCall): object {
  const { id, result = "", isError = false, structured, parent } = call;
  const block = { type: "tool_result", tool_use_id: id, content: result, is_error: isError };
  return out({
    type: "user",
    parent_tool_use_id: parent ?? null,
    session_id: SESSION,
    message: { content: [block] },
    ...(structured !== undefined && { tool_use_result: structured }),
  });
}
