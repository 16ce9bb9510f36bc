/** The fields of a request: of its path, its query and its body. Pure. */
import { badField } from "../api/api-error.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Throws `ApiError` 400 for a field that is given twice: one of the two would be ignored. */
export function mergedFields(path: Fields, query: URLSearchParams, body: Fields): Fields {
  const given = [...Object.entries(path), ...query, ...Object.entries(body)];
  const names = new Set<string>();
  for (const [name] of given) {
    if (names.has(name)) throw badField(name, "is given twice");
    names.add(name);
  }
  return Object.fromEntries(given);
}

/** Throws `ApiError` 400 for a field of the query that the route does not know, or has twice. */
export function noQueryBut(known: readonly string[], { searchParams }: URL): void {
  for (const name of Object.keys(mergedFields({}, searchParams, {})))
    if (!known.includes(name)) throw badField(name, "is not known here");
}
