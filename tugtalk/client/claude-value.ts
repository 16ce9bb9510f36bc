/** Reads the values that Claude owns, whose shapes no one guarantees. Pure. */

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; undefined if it is none. */
export function objectOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

/** Whether the value is an object, and neither null nor a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as a text; undefined if it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value as a text with characters; undefined if it is none. */
export function filledText(value: unknown): string | undefined {
  return textOf(value) || undefined;
}

/** The value as a finite number; undefined if it is none. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The objects in a list; none if the value is no list. */
export function objectsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The texts in a list; none if the value is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The entry of a table; undefined for any other name, such as `constructor`, which every object has. */
export function entryIn<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

type Defined<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** The same fields without those that are undefined. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  // `Object.fromEntries` loses the names.
  return Object.fromEntries(entries) as Defined<Values>;
}
/** The value in a JSON text; undefined if it is none, which no JSON text means. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
