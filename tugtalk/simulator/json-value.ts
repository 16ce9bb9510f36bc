/**
 * Plain JSON as the stand-ins handle it: they relay what they do not know, so they look into values
 * instead of parsing them into types.
 */

/** A JSON object of which nothing more is known. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for an object that is neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value below `path`, or nothing when any step of the way is missing. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

/** The string below `path`, or nothing when there is none or it is something else. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldOf(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The blocks of a message's content; a plain string counts as one text block. */
export function contentBlocksOf(line: unknown): readonly JsonObject[] {
  const content = fieldOf(line, "message", "content");
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The same JSON in `left` and `right`, whatever the order of keys. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return Bun.deepEquals(left, right);
}
