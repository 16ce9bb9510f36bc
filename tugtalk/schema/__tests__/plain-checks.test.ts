/** The bridge's checks of plain values equal the schemas. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CheckWriter } from "../check-writer.ts";
import { plainChecks } from "../plain-checks.ts";

const ROOT = join(import.meta.dir, "..", "..");

test.each(Object.entries(plainChecks()))("%s is what `npm run plain` makes", (path, text) => {
  expect(readFileSync(join(ROOT, path), "utf8")).toBe(text);
});

describe("a schema without a check is an error", () => {
  test.each([
    ["that changes its value", z.string().transform(Number)],
    ["with a refinement of its own", z.string().refine((text) => text !== "a")],
    ["of a text of another form", z.string().max(3)],
    ["of a number of another form", z.number().multipleOf(3)],
    ["by a function", z.custom((value) => value === 1)],
    ["of a kind that nobody needed yet", z.date()],
  ])("%s", (_name, schema) => {
    expect(() => new CheckWriter().check(schema)).toThrow("there is no check for");
  });
});

test("an option of a union that changes its value is left out, so that such a value is not plain", () => {
  const kept = z.object({ type: z.literal("a") });
  const changing = z.object({ type: z.string() }).transform((raw) => ({ raw }));
  expect(new CheckWriter().check(z.union([kept, changing]))).toBe("byType({\n  a: {},\n})");
});

test("an option of a union that must have no type is checked beside those that have one", () => {
  const untyped = z.object({ type: z.undefined().optional() });
  const options = [z.object({ type: z.literal("a") }), untyped];
  expect(new CheckWriter().check(z.union(options))).toBe(
    "either(byType({\n  a: {},\n}), exactObject({\n  type: optional(isAbsent),\n}))",
  );
});
