/** What is a difference, and what only comes in another order because chance decides it. */
import { expect, test } from "bun:test";
import type { RecordingEntry } from "../../src/recording.ts";
import { Comparison, isSame } from "../comparison.ts";
import { type Act, timelineOf } from "../timeline.ts";

const [A, B, C] = [{ type: "a" }, { type: "b" }, { type: "c" }] as const;

/** Notes these acts against A, B, C, where so many are due and so many near. */
function differences(now: readonly Act[], { due = 1, near = 3 } = {}) {
  const comparison = new Comparison([A, B, C], { masked: new Set(), isCut: false });
  comparison.expect(due, near);
  for (const act of now) comparison.note(act);
  comparison.expect(3, 3);
  return comparison.finish();
}

test("what is near may be done before its turn, and is then not missing", () => {
  expect(differences([B, C, A])).toEqual([]);
  expect(differences([C, A, B])).toEqual([]);
});

test("what is not near may not be done before its turn", () => {
  expect(differences([C, A, B], { near: 2 })).toEqual([{ is: C }, { was: C }]);
});

test("what was done once before its turn is new the second time", () => {
  expect(differences([C, C, A, B])).toEqual([{ is: C }]);
});

test("what was done before its turn leaves the others missing", () => {
  expect(differences([C])).toEqual([{ was: A }, { was: B }]);
});

test("near is all until the next entry that comes in, but for what the host says a moment later", () => {
  const told = (ms: number) => ({ ms, event: "told", line: { type: "a" } }) as const;
  const said = (ms: number): RecordingEntry => ({ ms, event: "host_said", lines: [] });
  const nearAfterFirst = (...entries: RecordingEntry[]) => {
    const step = timelineOf([said(0), ...entries]).steps[1];
    return [step?.due.told, step?.near.told];
  };
  expect(nearAfterFirst(told(1), said(2), told(3), said(100), told(101))).toEqual([1, 3]);
  expect(nearAfterFirst(told(1), said(101), told(102))).toEqual([1, 1]);
  expect(nearAfterFirst(told(1), { ms: 2, event: "claude_output_ended", run: 1 }, told(3))).toEqual(
    [1, 1],
  );
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
  ["***", "ab"],
  ["a***", "bcde"],
];

test.each([...OTHERS])("%p and %p are not the same, masked or not", (then, now) => {
  expect(isSame(then, now, false)).toBe(false);
  expect(isSame(then, now, true)).toBe(false);
});

test("what was masked may be any text of its length", () => {
  const [then, now] = [{ a: ["no ***** here **!"] }, { a: ["no alice here me!"] }];
  expect(isSame(then, now, true)).toBe(true);
  expect(isSame(then, now, false)).toBe(false);
});
