/**
 * Checks of the fields that a handler reads. The bridge has checked its messages. These checks keep the
 * reducer total for messages of a newer or a broken peer, without a schema library.
 */
import { isFields } from "../claude-value.ts";

export type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === "string";
export const number: Check = (value) => typeof value === "number";
export const flag: Check = (value) => typeof value === "boolean";
export const anything: Check = () => true;
export const object: Check = isFields;
export const list: Check = Array.isArray;
export const texts: Check = (value) => Array.isArray(value) && value.every(text);
export const objects: Check = (value) => Array.isArray(value) && value.every(isFields);

/** An object in which the named fields are right. */
export function objectWith(checks: Readonly<Record<string, Check>>): Check {
  const all = Object.entries(checks);
  return (value) => isFields(value) && all.every(([name, check]) => check(value[name]));
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** An object in which every field is right, whatever its name. */
export function recordOf(check: Check): Check {
  return (value) => isFields(value) && Object.values(value).every(check);
}

export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function nullable(check: Check): Check {
  return (value) => value === null || check(value);
}

/** Absent, or null, as notifications of Claude may have it. */
export function nullish(check: Check): Check {
  return (value) => value === undefined || value === null || check(value);
}
