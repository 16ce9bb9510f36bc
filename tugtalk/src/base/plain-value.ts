/**
 * Checks of parsed JSON without a schema. `npm run plain` builds a check for each schema out of them. The
 * schema returns a value that passes its check unchanged. A value that does not pass may still be valid: its
 * schema decides.
 */
import { isJsonObject } from "./json.ts";

/** Whether a value is plain. */
export type Check = (value: unknown) => boolean;

/** Whether a value is plain, and therefore of this type. */
export type Guard<Value> = (value: unknown) => value is Value;

/** A check for each declared field of an object. */
type Fields = Readonly<Record<string, Check>>;

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export const isFlag: Check = (value) => typeof value === "boolean";

/** JSON can hold numbers that are too large for one. */
export const isNumber: Check = (value) => Number.isFinite(value);

export const isAbsent: Check = (value) => value === undefined;

export const isNull: Check = (value) => value === null;

/** An object with any fields, `__proto__` included. */
export const isObject: Check = isJsonObject;

export const isAny: Check = () => true;

/** A text that is not empty. */
export const isName: Check = (value) => isText(value) && value !== "";

export const isPositive: Check = (value) => isNumber(value) && Number(value) > 0;

/** A whole number in a range. */
export function integer(min: number, max: number): Check {
  return (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** The names that Claude and Git take, apart from their length and end. */
export const WORKTREE_NAME = /^[A-Za-z0-9_](?:\.?[A-Za-z0-9_-])*$/;

/** Git takes no branch that ends with `.lock`. */
export function isWorktreeName(value: unknown): value is string {
  if (typeof value !== "string" || value.length > 64) return false;
  return WORKTREE_NAME.test(value) && !value.endsWith(".lock");
}

/** A path from the root, as the system can take it. */
export const ABSOLUTE_PATH = /^\/[^\0]*$/;

export const isAbsolutePath: Check = (value) => isText(value) && ABSOLUTE_PATH.test(value);

/** In lower case, which a schema would convert to. */
export function isLowerUuid(value: unknown): value is string {
  return (
    typeof value === "string" &&
    /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(value)
  );
}

export function oneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function nullish(check: Check): Check {
  return (value) => value === undefined || value === null || check(value);
}

export function either(one: Check, other: Check): Check {
  return (value) => one(value) || other(value);
}

/** A plain value for which something else holds, too. */
export function refined(check: Check, holds: Check): Check {
  return (value) => check(value) && holds(value);
}

/** Whether a value can be an argument or an environment variable: no string and no key in it has a NUL. */
export function isNulFree(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isNulFree(key) && isNulFree(inner));
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** An object of which each value is plain. */
export function recordOf(check: Check): Check {
  return (value) => isOwnObject(value) && Object.values(value).every(check);
}

/** An object with these fields and others. */
export function looseObject(checks: Fields): Check {
  // Listed when it is first used: a start uses few of the tables.
  let fields: readonly { readonly name: string; readonly check: Check }[] | undefined;
  return (value) => {
    if (!isOwnObject(value)) return false;
    fields ??= Object.entries(checks).map(([name, check]) => ({ name, check }));
    // A loop: every line runs it, and callbacks are dear until they are compiled.
    for (const { name, check } of fields) if (!check(value[name])) return false;
    return true;
  };
}

/** An object with these fields and no others. */
export function exactObject(checks: Fields): Check {
  const hasFields = looseObject(checks);
  return (value) =>
    hasFields(value) && Object.keys(value as object).every((name) => Object.hasOwn(checks, name));
}

/** An object that has the fields of its `type`. A type that is not in the table is not plain. */
export function byType(checks: Readonly<Record<string, Fields>>): Check {
  // The value is looked up without conversion: as a text, a list of one type would be that type.
  const kinds = new Map<unknown, Check>(
    Object.entries(checks).map(([type, fields]) => [type, looseObject(fields)]),
  );
  return (value) => isOwnObject(value) && kinds.get(value["type"])?.(value) === true;
}

/** Schemas of objects drop a key `__proto__`. */
function isOwnObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && !Object.hasOwn(value, "__proto__");
}
