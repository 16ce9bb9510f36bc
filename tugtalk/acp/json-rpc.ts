/** JSON-RPC 2.0 as ACP uses it: parses a line of the client, and builds the errors that answer it. Pure. */
import { type Fields, isJsonObject } from "../src/base/json.ts";
import { headFields } from "../src/base/json-head.ts";
import { depthProblem, overlongText, parseJsonLine } from "../src/base/json-line.ts";
import type { Line } from "../src/base/lines.ts";
import { TugtalkError } from "../src/messages/errors.ts";

/** The error codes of JSON-RPC and of ACP. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
  loginNeeded: -32000,
  notFound: -32002,
} as const;
export type CodeName = keyof typeof CODES;

/** Null where a request could not be read as far as its id. */
export type RequestId = string | number | null;

export type RpcError = {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
};

/** Why a request fails, as its answer says it. */
export class AcpError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: CodeName, message: string, data?: unknown) {
    super(message);
    this.code = CODES[code];
    this.data = data;
  }

  /** An error that is none of the protocol is an internal one, with its reason. */
  static from(thrown: unknown): AcpError {
    if (thrown instanceof AcpError) return thrown;
    const { code, reason = code, message } = TugtalkError.from(thrown);
    return new AcpError("internal", message, { tugtalk: { reason } });
  }

  toRpc(): RpcError {
    const { code, message, data } = this;
    return { code, message, ...(data !== undefined && { data }) };
  }
}

/** A request of the client, or a notification, which has no id. */
export type ClientCall = {
  readonly method: string;
  readonly params: unknown;
  readonly id?: RequestId;
};

/** An answer of the client to a request of ours. */
export type ClientAnswer = {
  readonly id: RequestId;
  readonly result?: unknown;
  readonly error?: unknown;
};

export type ClientLine =
  | { readonly call: ClientCall }
  | { readonly answer: ClientAnswer }
  | {
      readonly problem: AcpError;
      readonly id: RequestId;
      /** Present if the line has the id of a request: it may be meant as the answer. */
      readonly answer?: ClientAnswer;
    };

/** Parses one line of the client. Never throws. */
export function readClientLine(line: Line): ClientLine {
  const parsed = parseJsonLine(line);
  if ("value" in parsed) return readValue(parsed.value, parsed.chars);
  if (parsed.problem !== "too_long") {
    const message = parsed.problem === "not_utf8" ? "not UTF-8" : "not a line of JSON";
    return { problem: new AcpError("parse", message), id: null };
  }
  return invalidLine(overlongText(parsed.bytes), headFields(parsed.head));
}

function invalidLine(message: string, fields: Fields): ClientLine {
  const problem = new AcpError("invalidRequest", message);
  const id = idIn(fields) ?? null;
  const isCall = id === null || "method" in fields;
  return { problem, id, ...(!isCall && { answer: { id, error: problem } }) };
}

function readValue(value: unknown, chars: number): ClientLine {
  if (Array.isArray(value)) return invalidLine("batches are not allowed", {});
  if (!isJsonObject(value)) return invalidLine("not a JSON object", {});
  const id = idIn(value);
  if (value["jsonrpc"] !== "2.0") return invalidLine('jsonrpc: must be "2.0"', value);
  const tooDeep = depthProblem(value, chars);
  if (tooDeep !== undefined) return invalidLine(tooDeep, value);
  if (id === undefined && "id" in value)
    return invalidLine("id: must be a text, a number or null", value);
  return readObject(value, id);
}

function readObject(fields: Fields, id: RequestId | undefined): ClientLine {
  const { method, params, result, error } = fields;
  if (typeof method === "string")
    return { call: { method, params, ...(id !== undefined && { id }) } };
  if (method !== undefined) return invalidLine("method: must be a text", fields);
  if (id !== undefined && (result !== undefined || error !== undefined))
    return { answer: { id, result, error } };
  return invalidLine("neither a request nor an answer", fields);
}

/** Undefined where there is no id, or one of another type. */
export function idIn({ id }: Fields): RequestId | undefined {
  return typeof id === "string" || typeof id === "number" || id === null ? id : undefined;
}
