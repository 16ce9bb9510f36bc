/** Parses one line of the host into a checked message, or into the problem to answer with. Never throws. */
import type { z } from "zod";
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import { isDeeperThan, MAX_DEPTH } from "../base/json-depth.ts";
import { isOverlong, type Line } from "../base/lines.ts";
import type { ErrorCode } from "../messages/errors.ts";
import { INBOUND_TYPES, InboundMessage } from "../types.ts";

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

/** Parses and checks one line. */
export function parseInboundLine(line: Line): InboundLine {
  if (isOverlong(line)) {
    const message = `a line of ${line.overlongBytes} bytes was discarded; --max-line-bytes sets the limit`;
    return { problem: { code: "line_too_long", message } };
  }
  const text = textOf(line);
  if (text === undefined) return badJson("not UTF-8");
  // The engine's own message is left out: it quotes the line, which may hold a secret.
  const value = parseJson(text);
  if (value === undefined) return badJson("not a line of JSON");
  return isJsonObject(value)
    ? parseObject(value)
    : { problem: { code: "bad_message", message: "not a JSON object" } };
}

function parseObject(value: JsonObject): InboundLine {
  if (isDeeperThan(MAX_DEPTH, value))
    return problem(value, "bad_message", `nested deeper than ${MAX_DEPTH} levels`);
  const { type } = value;
  if (typeof type !== "string") return problem(value, "bad_message", "type: a string is missing");
  if (!INBOUND_TYPES.has(type))
    return problem(value, "unknown_type", `unknown type: ${type.slice(0, 100)}`);
  const parsed = InboundMessage.safeParse(value);
  return parsed.success
    ? { message: parsed.data }
    : problem(value, "bad_message", summaryOf(parsed.error));
}

function textOf(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    return undefined; // Not UTF-8.
  }
}

function badJson(message: string): InboundLine {
  return { problem: { code: "bad_json", message } };
}

function problem(value: JsonObject, code: ErrorCode, message: string): InboundLine {
  const { id, request_id, message_id } = value;
  return {
    problem: {
      code,
      message,
      ...(typeof id === "string" && { in_reply_to: id }),
      ...(typeof request_id === "string" && { request_id }),
      ...(typeof message_id === "string" && { message_id }),
    },
  };
}

function summaryOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}
