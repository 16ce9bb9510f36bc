/** Parses JSON, and checks the kinds of its values. */

/** A JSON object with any fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** The parsed value; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON has no undefined, so the result is unambiguous.
  }
}

/** Whether a value is an object, and neither an array nor null. */
export function isJsonObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object; none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

/** The strings in an array; none for any other value. */
export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
