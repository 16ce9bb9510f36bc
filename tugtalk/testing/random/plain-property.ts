/** The law of every check of plain values: the schema returns each accepted value unchanged. */
import * as fc from "fast-check";
import { alteredJson } from "./altered-json.ts";
import { seedOf } from "./property-check.ts";

type Schema = {
  readonly safeParse: (value: unknown) => { readonly data?: unknown; readonly success: boolean };
};

/** Throws with the smallest value that the check accepts and the schema refuses or changes. */
export function expectPlainAsSchema(
  name: string,
  isPlain: (value: unknown) => boolean,
  schema: Schema,
  samples: readonly unknown[],
): void {
  const property = fc.property(alteredJson(samples), (value) => {
    if (!isPlain(value)) return true;
    const { success, data } = schema.safeParse(value);
    return success && Bun.deepEquals(data, value, true);
  });
  fc.assert(property, { seed: seedOf(name), numRuns: 500 });
}
