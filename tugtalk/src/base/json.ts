/** JSON as it comes from a peer: text to a value, and objects that keep every key. */
import { z } from "zod";

/** An object of JSON, of whatever fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value that a text says; undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // No JSON says that.
  }
}

/** Tells an object from an array, null and all that is none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Any object. Not `z.record`, which loses the key `__proto__`. */
export const jsonObject = z
  .custom<Record<string, unknown>>(isJsonObject, { error: "expected an object", abort: true })
  .meta({ type: "object" });

/** An object whose values are all of one kind. The schema checks them and does not change them. */
export function jsonRecord<Value>(schema: z.ZodType<Value, Value>) {
  return z
    .custom<Record<string, Value>>(isJsonObject, { error: "expected an object", abort: true })
    .superRefine((record, context) => {
      for (const [key, value] of Object.entries(record))
        for (const { path, message } of schema.safeParse(value).error?.issues ?? [])
          context.addIssue({ code: "custom", path: [key, ...path], message });
    });
}
