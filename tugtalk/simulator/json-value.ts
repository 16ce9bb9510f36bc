/**
 * Plain JSON in the stand-ins: they pass unknown values on, so they look into values instead of parsing them
 * into types.
 */

import { type Fields, isJsonObject } from "../src/base/json.ts";

/** The value below `path`; undefined if a step of the path is missing. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    value,
  );
}

/** The string below `path`; undefined if there is none. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldOf(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The blocks of a message's content; a plain string counts as one text block. */
export function contentBlocksOf(line: unknown): readonly Fields[] {
  const content = fieldOf(line, "message", "content");
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}
