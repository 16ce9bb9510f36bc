/**
 * Replaces recorded ids of a conversation by those of the running process: the session's, and those of the
 * host's messages and requests. Only whole strings are replaced.
 */
import { type Fields, isJsonObject } from "../src/base/json.ts";

/** The printed values by the values of the conversation. */
export type Substitutions = ReadonlyMap<string, unknown>;

/** `line` with every string that has a substitute replaced, at any depth. */
export function substitute(line: Fields, substitutions: Substitutions): Fields {
  return Object.fromEntries(
    Object.entries(line).map(([key, value]) => [key, substituteValue(value, substitutions)]),
  );
}

function substituteValue(value: unknown, substitutions: Substitutions): unknown {
  if (typeof value === "string") {
    return substitutions.has(value) ? substitutions.get(value) : value;
  }
  if (Array.isArray(value)) return value.map((element) => substituteValue(element, substitutions));
  return isJsonObject(value) ? substitute(value, substitutions) : value;
}
