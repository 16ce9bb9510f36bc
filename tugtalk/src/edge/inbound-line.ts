/** One line of the host's to a checked message, or to the error that answers it. Never throws. */
import type { z } from "zod";
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import { isDeeperThan, MAX_DEPTH } from "../base/json-depth.ts";
import type { ErrorCode } from "../messages/errors.ts";
import { INBOUND_TYPES, InboundMessage } from "../types.ts";

/** Why a line is not a message. What can be told of it is told, so that the host can place the error. */
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
export function parseInboundLine(line: Uint8Array): InboundLine {
  const text = textOf(line);
  if (text === undefined) return badJson("not UTF-8");
  // The words of the engine are not told: they repeat what stands in the line, which may be a secret.
  const value = parseJson(text);
  if (value === undefined) return badJson("not a line of JSON");
  if (!isJsonObject(value))
    return { problem: { code: "bad_message", message: "not a JSON object" } };
  if (isDeeperThan(MAX_DEPTH, value))
    return problem(value, "bad_message", `nested deeper than ${MAX_DEPTH} levels`);
  const { type } = value;
  if (typeof type !== "string") return problem(value, "bad_message", "type: a string is missing");
  if (!INBOUND_TYPES.has(type))
    return problem(value, "unknown_type", `unknown type: ${type.slice(0, 100)}`);
  const parsed = InboundMessage.safeParse(value);
  return parsed.success
    ? { message: parsed.data }
    : problem(value, "bad_message", wordsOf(parsed.error));
}

function textOf(line: Uint8Array): string | undefined {
  try {
    return decoder.decode(line);
  } catch {
    return undefined; // No UTF-8.
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

function wordsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}
