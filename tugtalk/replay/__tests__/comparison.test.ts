/** The differences between a recording and its replay. */
import { expect, test } from "bun:test";
import { Comparison, isSame } from "../comparison.ts";
import type { Act } from "../timeline.ts";

const [A, B, C] = [{ type: "a" }, { type: "b" }, { type: "c" }] as const;

/** Compares these acts with A, B, C, of which the first `due` have to come. */
function differences(now: readonly Act[], due: number) {
  const comparison = new Comparison([A, B, C], false);
  comparison.expect(due);
  for (const act of now) comparison.note(act);
  comparison.expect(3);
  return comparison.finish();
}

test("the same acts in the same order are no difference, even before they are due", () => {
  expect(differences([A, B, C], 3)).toEqual([]);
  expect(differences([A, B, C], 1)).toEqual([]);
});

test("acts in another order are a difference", () => {
  expect(differences([B, A, C], 3)).toEqual([{ was: A }, { is: A }]);
});

test("an act that is too early and not due is reported as new and as missing", () => {
  expect(differences([C, A, B], 2)).toEqual([{ is: C }, { was: C }]);
});

test("acts that are not replayed are reported as missing", () => {
  expect(differences([C], 3)).toEqual([{ was: A }, { was: B }]);
});

test("an act of the same type with other fields is one difference", () => {
  expect(differences([A, { ...B, other: 1 }, C], 3)).toEqual([{ was: B, is: { ...B, other: 1 } }]);
});

test("fields that are added, within a value too, are no difference where they may be added", () => {
  expect(isSame({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, true)).toBe(true);
  expect(isSame({ a: { b: 1 } }, { a: { c: 2 } }, true)).toBe(false);
  expect(isSame({ a: [1] }, { a: [1, 2] }, true)).toBe(false);
});

const OTHERS: readonly (readonly [then: unknown, now: unknown])[] = [
  [1, 2],
  [1, "1"],
  [null, {}],
  [{}, []],
  [[1], [1, 2]],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, {}],
  ["a", "b"],
  ["***", "abc"],
  ["███", "ab"],
  ["a███", "bcde"],
];

test.each([...OTHERS])("%p and %p are not the same", (was, is) => {
  expect(isSame(was, is)).toBe(false);
});

test("a mask in the recording equals any text of its length, and a mask in the replay does not", () => {
  const [was, is] = [{ a: ["no █████ here ██!"] }, { a: ["no alice here me!"] }];
  expect(isSame(was, is)).toBe(true);
  expect(isSame(is, was)).toBe(false);
});
