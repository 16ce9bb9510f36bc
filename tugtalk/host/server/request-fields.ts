/** The fields of a request: of its path, its query and its body. */
import { type Fields, isJsonObject, parseJson } from "../../src/base/json.ts";
import { isDeeperThan, MAX_DEPTH } from "../../src/base/json-depth.ts";
import { ApiError, badField } from "../api/api-error.ts";
import { MIB } from "../api/command-limits.ts";

/** Throws `ApiError` 400 for a repeated field, since one of the two would be ignored. */
export function mergedFields(path: Fields, query: URLSearchParams, body: Fields): Fields {
  const given = [...Object.entries(path), ...query, ...Object.entries(body)];
  const names = new Set<string>();
  for (const [name] of given) {
    if (names.has(name)) throw badField(name, "is given twice");
    names.add(name);
  }
  return Object.fromEntries(given);
}

/** Throws `ApiError` 400 for a field of the query that is repeated or unknown to the route. */
export function noQueryBut(known: readonly string[], { searchParams }: URL): void {
  for (const name of Object.keys(mergedFields({}, searchParams, {})))
    if (!known.includes(name)) throw badField(name, "is not known here");
}

/** The fields of the body; none without a body. Rejects with `ApiError` 400, 413 or 415. */
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

/** Bytes that cannot be decoded count as invalid JSON. */
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
