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

/** The first of these fields that is a number. */
export function numberIn(
  fields: Fields | undefined,
  ...names: readonly string[]
): number | undefined {
  return names.map((name) => numberOf(fields?.[name])).find((value) => value !== undefined);
}

/** The objects in a list; none if the value is no list. */
export function objectsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** The texts in a list; none if the value is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/**
 * The entry of a table. Undefined for any other name, also for names that every object has: `constructor`.
 */
export function entryIn<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

type Present<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined | null> };

/** The fields that are neither undefined nor null. */
export function present<Values extends object>(values: Values): Present<Values> {
  const entries = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  // `Object.fromEntries` loses the names.
  return Object.fromEntries(entries) as Present<Values>;
}
/** The value in a JSON text; undefined if it is none, which no JSON text means. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
