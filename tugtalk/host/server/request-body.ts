/** The body of a request, as the fields of a command. */
import { type Fields, isJsonObject, parseJson } from "../../src/base/json.ts";
import { isDeeperThan, MAX_DEPTH } from "../../src/base/json-depth.ts";
import { ApiError } from "../api/api-error.ts";
import { MIB } from "../api/command-limits.ts";

/** No body is no fields. Rejects with `ApiError` 400, 413 or 415. */
export async function readFields(request: Request, maxBytes: number): Promise<Fields> {
  const type = request.headers.get("content-type");
  if (type !== null && !/^application\/json\s*(;|$)/i.test(type)) throw notJson();
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await readBytes(request, maxBytes).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, "bad_json", "the connection ended within the body");
  });
  if (bytes.length === 0) return {};
  if (type === null) throw notJson();
  return parseFields(bytes);
}

async function readBytes({ body }: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseFields(bytes: Uint8Array): Fields {
  const value = parseJson(textOf(bytes));
  if (value === undefined) throw new ApiError(400, "bad_json", "the body is not JSON");
  if (!isJsonObject(value)) throw new ApiError(400, "bad_json", "the body is not a JSON object");
  if (isDeeperThan(MAX_DEPTH, value))
    throw new ApiError(400, "bad_json", `the body is nested deeper than ${MAX_DEPTH} levels`);
  return value;
}

/** What cannot be decoded is no JSON. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}

function notJson(): ApiError {
  return new ApiError(415, "not_json", "the body must be application/json");
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(413, "too_large", `the body is larger than ${maxBytes / MIB} MiB`);
}
