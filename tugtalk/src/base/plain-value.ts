/**
 * Checks of parsed JSON without a schema. A value that passes is one that its schema returns as it is.
 * Of any other value they say nothing: it may still be valid, and its schema decides.
 */
import { isJsonObject } from "./json.ts";

/** Whether a value is plain. */
export type Check<Value> = (value: unknown) => value is Value;

/** A check for each declared field of an object, but for those of another check. The compiler names one that is missing. */
export type Checks<Value, Others = never> = {
  readonly [Key in keyof Value as string extends Key ? never : Exclude<Key, Others>]-?: Check<
    Value[Key]
  >;
};

export const isText: Check<string> = (value) => typeof value === "string";

export const isFlag: Check<boolean> = (value) => typeof value === "boolean";

/** JSON can hold numbers that are too large for one. */
export const isNumber: Check<number> = (value): value is number => Number.isFinite(value);

export const isAbsent: Check<undefined> = (value) => value === undefined;

export const isNull: Check<null> = (value) => value === null;

/** An object with any fields, `__proto__` included. */
export const isObject: Check<Record<string, unknown>> = isJsonObject;

export const isAny: Check<unknown> = (_value): _value is unknown => true;

/** A text that is not empty. */
export const isName: Check<string> = (value): value is string => isText(value) && value !== "";

export const isPositive: Check<number> = (value): value is number => isNumber(value) && value > 0;

/** A whole number in a range. */
export function integer(min: number, max: number): Check<number> {
  return (value): value is number =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** In lower case, which a schema would convert to. */
export const isLowerUuid: Check<string> = (value): value is string =>
  typeof value === "string" &&
  /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(value);

export function oneOf<Text extends string>(...texts: readonly Text[]): Check<Text> {
  return (value): value is Text => texts.includes(value as Text);
}

export function optional<Value>(check: Check<Value>): Check<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || check(value);
}

export function nullish<Value>(check: Check<Value>): Check<Value | null | undefined> {
  return (value): value is Value | null | undefined =>
    value === undefined || value === null || check(value);
}

export function either<One, Other>(one: Check<One>, other: Check<Other>): Check<One | Other> {
  return (value): value is One | Other => one(value) || other(value);
}

/** A plain value for which something else holds, too. */
export function refined<Value>(
  check: Check<Value>,
  holds: (value: Value) => boolean,
): Check<Value> {
  return (value): value is Value => check(value) && holds(value);
}

/** Whether a value can be an argument or an environment variable: no string and no key in it has a NUL. */
export function isNulFree(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isNulFree(key) && isNulFree(inner));
}

export function listOf<Value>(check: Check<Value>): Check<Value[]> {
  return (value): value is Value[] => Array.isArray(value) && value.every(check);
}

/** An object of which each value is plain. */
export function recordOf<Value>(check: Check<Value>): Check<Record<string, Value>> {
  return (value): value is Record<string, Value> =>
    isOwnObject(value) && Object.values(value).every(check);
}

/** An object with these fields and others. */
export function looseObject<Value>(checks: Checks<Value>): Check<Value> {
  // Listed when it is first used: a start uses few of the tables.
  let fields: readonly Field[] | undefined;
  return (value): value is Value => {
    if (!isOwnObject(value)) return false;
    fields ??= fieldsOf(checks);
    // A loop: every line runs it, and callbacks are dear until they are compiled.
    for (const { name, check } of fields) if (!check(value[name])) return false;
    return true;
  };
}

type Field = { readonly name: string; readonly check: Check<unknown> };

function fieldsOf<Value>(checks: Checks<Value>): readonly Field[] {
  return Object.entries<Check<unknown>>(checks).map(([name, check]) => ({ name, check }));
}

/** An object with these fields and no others. */
export function exactObject<Value>(checks: Checks<Value>): Check<Value> {
  const hasFields = looseObject<Value>(checks);
  return (value): value is Value =>
    hasFields(value) && Object.keys(value as object).every((name) => Object.hasOwn(checks, name));
}

/** One of several objects, which its `type` tells apart. A type that is not in the table is not plain. */
export function byType<Value extends { readonly type: string }>(
  checks: {
    readonly [Type in Value["type"]]?: Checks<Extract<Value, { type: Type }>, "type">;
  },
): Check<Value> {
  // Any value is looked up as it is: converted to a text, a list of one type would be that type.
  const kinds = new Map<unknown, Check<object>>(
    Object.entries<Checks<object> | undefined>(checks).map(([type, fields = {}]) => [
      type,
      looseObject(fields),
    ]),
  );
  return (value): value is Value =>
    isOwnObject(value) && kinds.get(value["type"])?.(value) === true;
}

/** Schemas of objects drop a key `__proto__`. */
function isOwnObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && !Object.hasOwn(value, "__proto__");
}
