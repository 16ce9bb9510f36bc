/** What is a difference between a recording and its replay, and how many. */
import { expect, test } from "bun:test";
import { Comparison, isSame } from "../comparison.ts";
import type { Act } from "../timeline.ts";

const [A, B, C] = [{ type: "a" }, { type: "b" }, { type: "c" }] as const;

/** Notes these acts against A, B, C, where so many are due. */
function differences(now: readonly Act[], due: number) {
  const comparison = new Comparison([A, B, C], false);
  comparison.expect(due);
  for (const act of now) comparison.note(act);
  comparison.expect(3);
  return comparison.finish();
}

test("the same acts in the same order are no difference, also before they are due", () => {
  expect(differences([A, B, C], 3)).toEqual([]);
  expect(differences([A, B, C], 1)).toEqual([]);
});

test("another order is a difference", () => {
  expect(differences([B, A, C], 3)).toEqual([{ was: A }, { is: A }]);
});

test("an act that comes before its turn and is not due is new, and then missing", () => {
  expect(differences([C, A, B], 2)).toEqual([{ is: C }, { was: C }]);
});

test("what is not done is missing", () => {
  expect(differences([C], 3)).toEqual([{ was: A }, { was: B }]);
});

test("an act of the same kind that is not the same is one difference", () => {
  expect(differences([A, { ...B, other: 1 }, C], 3)).toEqual([{ was: B, is: { ...B, other: 1 } }]);
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

test("a mask in the recording stands for any text of its length, but not the other way round", () => {
  const [was, is] = [{ a: ["no █████ here ██!"] }, { a: ["no alice here me!"] }];
  expect(isSame(was, is)).toBe(true);
  expect(isSame(is, was)).toBe(false);
});
