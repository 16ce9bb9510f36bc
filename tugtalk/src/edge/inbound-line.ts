/** Parses one line of the host into a checked message, or into the problem to answer with. Never throws. */
import type { z } from "zod";
import { type Fields, isJsonObject } from "../base/json.ts";
import { headFields } from "../base/json-head.ts";
import { depthProblem, overlongText, parseJsonLine } from "../base/json-line.ts";
import type { Line } from "../base/lines.ts";
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

/** These have a limit in bytes. Only lines of this many characters can exceed it: their schemas check it. */
const LIMITED: ReadonlySet<string> = new Set(["host_tool_answer", "hook_answer"]);
const LIMITED_FROM = 1024 * 1024;

/** Parses and checks one line. */
export function parseInboundLine(line: Line): InboundLine {
  const parsed = parseHostObject(line);
  return "problem" in parsed ? { problem: parsed.problem } : parseInboundObject(parsed);
}

/** The object of one line, and the length of the line in characters. */
export type HostObject = { readonly value: Fields; readonly chars: number };

/** Why a line is not an object. The beginning of a line that is too long may have its `channel`. */
export type UnreadLine = { readonly problem: InboundProblem; readonly channel?: unknown };

/** Parses one line as far as every message goes: a JSON object. */
export function parseHostObject(line: Line): HostObject | UnreadLine {
  const parsed = parseJsonLine(line);
  if ("value" in parsed) {
    const { value, chars } = parsed;
    return isJsonObject(value)
      ? { value, chars }
      : { problem: { code: "bad_message", message: "not a JSON object" } };
  }
  if (parsed.problem !== "too_long")
    return badJson(parsed.problem === "not_utf8" ? "not UTF-8" : "not a line of JSON");
  const head = headFields(parsed.head);
  const problem = problemWith(head, "line_too_long", overlongText(parsed.bytes));
  return { problem, channel: head["channel"] };
}

/** Checks the object of one line. Its channel is no part of the message: only the way to the bridge. */
export function parseInboundObject({ value, chars }: HostObject): InboundLine {
  const problem = (code: ErrorCode, message: string) => ({
    problem: problemWith(value, code, message),
  });
  const tooDeep = depthProblem(value, chars);
  if (tooDeep !== undefined) return problem("bad_message", tooDeep);
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

/** Whether hosts send the message often, and its schema would return it unchanged. */
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

function badJson(message: string): UnreadLine {
  return { problem: { code: "bad_json", message } };
}

function summaryOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}
