/** Parsing JSON, and schemas for objects that keep every key. */
import { z } from "zod";

/** A JSON object with any fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The parsed value; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON has no undefined, so the result is unambiguous.
  }
}

/** Whether a value is an object, and neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object; none for any other value. */
export function fieldsOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Any object. `z.record` would lose the key `__proto__`. */
export const jsonObject = z
  .custom<Record<string, unknown>>(isJsonObject, { error: "expected an object", abort: true })
  .meta({ type: "object" });

/** An object whose values all match one schema, which checks them and does not change them. In its metadata, `values` is that schema. */
export function jsonRecord<Value>(schema: z.ZodType<Value, Value>) {
  return z
    .custom<Record<string, Value>>(isJsonObject, { error: "expected an object", abort: true })
    .superRefine((record, context) => {
      for (const [key, value] of Object.entries(record))
        for (const { path, message } of schema.safeParse(value).error?.issues ?? [])
          context.addIssue({ code: "custom", path: [key, ...path], message });
    })
    .meta({ type: "object", values: schema });
}
