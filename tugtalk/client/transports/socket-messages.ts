/** The messages of the host's WebSocket: frames, and answers to commands. Pure. */
import { type Fields, isFields, numberOf, parseJson } from "../claude-value.ts";
import type { HostFrame } from "../session-input.ts";
import { CommandError } from "./transport.ts";

/** `{id, ok, …}`: the answer to the command with this id. */
export type SocketAnswer = Fields & { readonly id: number; readonly ok: boolean };

/** Undefined for anything else. */
export function parseSocketMessage(text: string): (HostFrame & Fields) | SocketAnswer | undefined {
  const value = parseJson(text);
  return isFields(value) && (isFrame(value) || isAnswer(value)) ? value : undefined;
}

export function isAnswer(message: Fields): message is SocketAnswer {
  return typeof message["id"] === "number" && typeof message["ok"] === "boolean";
}

function isFrame(value: Fields): value is HostFrame & Fields {
  return typeof value["t"] === "string";
}

/** The body that the same command has over HTTP: there a session's `id` is not taken by the command's. */
export function answerBody({ id: _id, ok: _ok, s, ...body }: SocketAnswer): Fields {
  return s === undefined ? body : { id: s, ...body };
}

export function refusalOf(answer: SocketAnswer): CommandError {
  const { status, ...body } = answerBody(answer);
  return new CommandError(numberOf(status) ?? 0, body);
}
