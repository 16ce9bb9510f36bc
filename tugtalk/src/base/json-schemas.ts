/** Schemas for objects that keep every key. */
import { z } from "zod";
import { isJsonObject } from "./json.ts";

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
