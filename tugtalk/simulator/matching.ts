/**
 * Decides whether a line that Claude received is the one that a conversation waits for.
 *
 * Lenient, the default, so that a recorded capture can be played to another host: the kind alone
 * counts. Kind is `type`, for a control request also `request.subtype`, for a control response also
 * `response.request_id`. Any user message matches any other.
 *
 * Strict, for conversations written by hand: every key of the pattern must match as well, arrays by
 * length and element. Ids that the host chooses (`request_id` of its control requests, `uuid` of its
 * user messages) are never compared: they are names, to be replaced by what really came.
 */
import { isObject, type JsonObject, textOf } from "./json-value.ts";

/** True when `received` is what `pattern` describes. */
export function isMatch(pattern: unknown, received: unknown, isStrict: boolean): boolean {
  if (!isObject(pattern) || !isObject(received)) return Bun.deepEquals(pattern, received);
  if (!isSameKind(pattern, received)) return false;
  return !isStrict || isSubset(withoutHostIds(pattern), received);
}

/** True when both have the same kind, so that one can only have been meant to be the other. */
export function isSameKind(pattern: unknown, received: unknown): boolean {
  if (!isObject(pattern) || !isObject(received)) return false;
  return kindOf(pattern) === kindOf(received);
}

/** True when every key of `pattern` is in `value` with a matching value. */
export function isSubset(pattern: unknown, value: unknown): boolean {
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length) return false;
    return pattern.every((element, index) => isSubset(element, value[index]));
  }
  if (!isObject(pattern)) return Object.is(pattern, value);
  if (!isObject(value)) return false;
  return Object.entries(pattern).every(([key, inner]) => isSubset(inner, value[key]));
}

function kindOf(message: JsonObject): string {
  const type = textOf(message, "type") ?? "?";
  if (type === "control_request") return `${type} ${textOf(message, "request", "subtype")}`;
  if (type === "control_response") return `${type} ${textOf(message, "response", "request_id")}`;
  return type;
}

function withoutHostIds(pattern: JsonObject): JsonObject {
  if (pattern["type"] === "user") return omit(pattern, "uuid");
  if (pattern["type"] === "control_request") return omit(pattern, "request_id");
  return pattern;
}

function omit(source: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([name]) => name !== key));
}
