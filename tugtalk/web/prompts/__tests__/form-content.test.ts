import { expect, test } from "bun:test";
import type { FormField } from "../../../client/prompt-models.ts";
import { contentOf, fieldValue, problemOf } from "../form-content.ts";

function field(more: Partial<FormField> = {}): FormField {
  return { name: "f", label: "F", kind: "text", isRequired: false, choices: [], ...more };
}

const REQUIRED = "This is required";

test.each<[string, Partial<FormField>, unknown, string | undefined]>([
  ["an optional text may be empty", {}, "", undefined],
  ["a required text may not", { isRequired: true }, "", REQUIRED],
  ["a short text", { min: 3 }, "ab", "At least 3 characters"],
  ["a long text, counted by characters", { max: 2 }, "😀😀😀", "At most 2 characters"],
  ["a text that fits", { min: 1, max: 2 }, "😀😀", undefined],
  ["an email address", { format: "email" }, "a@b", undefined],
  ["no email address", { format: "email" }, "a b@c", "This is not an email address"],
  ["an address", { format: "uri" }, "https://a.test", undefined],
  ["no address", { format: "uri" }, "a.test", "This is not an address such as https://example.com"],
  ["no date", { format: "date" }, "soon", "This is not a date"],
  ["a time", { format: "date-time" }, "2030-01-02T03:04", undefined],
  ["a small number", { kind: "number", min: 0 }, "-0.5", "At least 0"],
  ["a large number", { kind: "number", max: 1 }, "1.5", "At most 1"],
  ["no number", { kind: "number" }, "many", "This is not a number"],
  ["no whole number", { kind: "integer" }, "1.5", "This is not a whole number"],
  ["a whole number", { kind: "integer", min: 1, max: 9 }, "9", undefined],
  ["no choice where one is required", { kind: "choice", isRequired: true }, "", REQUIRED],
  ["no choices where some are required", { kind: "choices", isRequired: true }, [], REQUIRED],
  ["too few choices", { kind: "choices", min: 2 }, ["a"], "At least 2 choices"],
  ["a check box without a tick", { kind: "boolean", isRequired: true }, false, undefined],
])("what is wrong with a field: %s", (_name, more, value, problem) => {
  expect(problemOf(field(more), { f: value })).toBe(problem as string);
});

test("a field shows the typed value, or else its initial value", () => {
  const count = field({ kind: "integer", initial: 1 });
  expect(fieldValue(count, {})).toBe("1");
  expect(fieldValue(count, { f: "" })).toBe("");
  expect(fieldValue(field({ kind: "boolean", initial: true }), {})).toBe(true);
  expect(fieldValue(field({ kind: "choices", initial: ["a"] }), {})).toEqual(["a"]);
  expect(fieldValue(field({ name: "constructor" }), {})).toBe("");
});

test("the content has the types of the schema, without fields that are empty", () => {
  const fields = [
    field({ name: "text" }),
    field({ name: "empty" }),
    field({ name: "count", kind: "integer" }),
    field({ name: "weight", kind: "number", initial: 0.5 }),
    field({ name: "yes", kind: "boolean" }),
    field({ name: "no", kind: "boolean" }),
    field({ name: "one", kind: "choice" }),
    field({ name: "many", kind: "choices" }),
    field({ name: "none", kind: "choices" }),
    field({ name: "time", format: "date-time" }),
  ];
  const time = "2030-01-02T03:04";
  const draft = { text: "t", count: "2", yes: true, one: "a", many: ["a", "b"], time };
  expect(contentOf(fields, draft)).toEqual({
    text: "t",
    count: 2,
    weight: 0.5,
    yes: true,
    no: false,
    one: "a",
    many: ["a", "b"],
    time: new Date(time).toISOString(),
  });
});
