/** Parses one line of the host into a checked message, or into the problem to answer with. Never throws. */
import type { z } from "zod";
import { type Fields, isJsonObject, parseJson } from "../base/json.ts";
import { CHARS_IN_DEPTH, isDeeperThan, MAX_DEPTH } from "../base/json-depth.ts";
import { headFields } from "../base/json-head.ts";
import { isOverlong, type Line } from "../base/lines.ts";
import type { ErrorCode } from "../messages/error-message.ts";
import type { InboundMessage } from "../types.ts";
import { INBOUND_TYPES, PLAIN_MESSAGES } from "./plain-checks.generated.ts";

/** Loaded with the first message that is not plain: building the schemas takes longer than a start. */
const types = () => require("../types.ts") as typeof import("../types.ts");

/** Why a line is not a message, with the ids it has, so that the host can match the error. */
export type InboundProblem = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly in_reply_to?: string;
  readonly request_id?: string;
  readonly message_id?: string;
};

export type InboundLine =
  | { readonly message: InboundMessage }
  | { readonly problem: InboundProblem };

const decoder = new TextDecoder("utf-8", { fatal: true });

/** These have a limit in bytes. Their schemas check it, in lines of so many characters. */
const LIMITED: ReadonlySet<string> = new Set(["host_tool_answer", "hook_answer"]);
const LIMITED_FROM = 1024 * 1024;

/** Parses and checks one line. */
export function parseInboundLine(line: Line): InboundLine {
  const parsed = parseHostObject(line);
  return "problem" in parsed ? { problem: parsed.problem } : parseInboundObject(parsed);
}

/** The object of one line, and the length of the line in characters. */
export type HostObject = { readonly value: Fields; readonly chars: number };

/** Why a line is not an object. `channel` is what the beginning of a line that is too long says. */
export type UnreadLine = { readonly problem: InboundProblem; readonly channel?: unknown };

/** Parses one line as far as every message goes: a JSON object. */
export function parseHostObject(line: Line): HostObject | UnreadLine {
  if (isOverlong(line)) {
    const message = `a line of ${line.overlongBytes} bytes was discarded; --max-line-bytes sets the limit`;
    const head = headFields(line.head);
    return { problem: problemWith(head, "line_too_long", message), channel: head["channel"] };
  }
  const text = textOf(line);
  if (text === undefined) return badJson("not UTF-8");
  // The engine's own message is left out: it quotes the line, which may hold a secret.
  const value = parseJson(text);
  if (value === undefined) return badJson("not a line of JSON");
  return isJsonObject(value)
    ? { value, chars: text.length }
    : { problem: { code: "bad_message", message: "not a JSON object" } };
}

/** Checks the object of one line. Its channel is no part of the message: only the way to the bridge. */
export function parseInboundObject({ value, chars }: HostObject): InboundLine {
  const problem = (code: ErrorCode, message: string) => ({
    problem: problemWith(value, code, message),
  });
  if (chars > CHARS_IN_DEPTH && isDeeperThan(MAX_DEPTH, value))
    return problem("bad_message", `nested deeper than ${MAX_DEPTH} levels`);
  const { type } = value;
  if (typeof type !== "string") return problem("bad_message", "type: a string is missing");
  if (!INBOUND_TYPES.has(type))
    return problem("unknown_type", `unknown type: ${type.slice(0, 100)}`);
  if (isPlain(type, value) && (chars < LIMITED_FROM || !LIMITED.has(type)))
    return { message: withoutChannel(value) };
  const { data, error } = types().InboundMessage.safeParse(value);
  return data === undefined
    ? problem("bad_message", summaryOf(error))
    : { message: withoutChannel(data) };
}

/** Whether it is a message that hosts send often, and that its schema returns as it is. */
function isPlain(type: string, value: unknown): value is InboundMessage {
  return PLAIN_MESSAGES.get(type)?.(value) === true;
}

function withoutChannel(message: InboundMessage): InboundMessage {
  if (message.channel === undefined) return message;
  const { channel: _channel, ...others } = message;
  return others;
}

/** A problem with the ids that the object has. */
export function problemWith(value: Fields, code: ErrorCode, message: string): InboundProblem {
  const { id, request_id, message_id } = value;
  return {
    code,
    message,
    ...(typeof id === "string" && { in_reply_to: id }),
    ...(typeof request_id === "string" && { request_id }),
    ...(typeof message_id === "string" && { message_id }),
  };
}

function textOf(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    return undefined; // Not UTF-8.
  }
}

function badJson(message: string): UnreadLine {
  return { problem: { code: "bad_json", message } };
}

function summaryOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}
