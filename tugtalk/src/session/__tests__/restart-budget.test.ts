/** Three restarts a minute, in a window that slides. */
import { expect, test } from "bun:test";
import { RestartBudget } from "../restart-budget.ts";

/** When each restart is spent, and whether another is allowed at the moment that is asked for, in ms. */
const ROWS: readonly (readonly [spent: readonly number[], at: number, isLeft: boolean])[] = [
  [[], 0, true],
  [[0, 0], 0, true],
  [[0, 0, 0], 0, false],
  [[0, 1, 2], 59_999, false],
  [[0, 1, 2], 60_000, true],
  [[0, 0, 59_000, 59_000], 60_000, true],
  [[0, 59_000, 59_000, 59_000], 60_000, false],
  [[0, 0, 0], 3_600_000, true],
];

test.each([...ROWS])(
  "after restarts at %p another one at %d is allowed: %p",
  (spent, at, isLeft) => {
    let now = 0;
    const budget = new RestartBudget(() => now);
    for (const moment of spent) {
      now = moment;
      budget.spend();
    }
    now = at;
    expect(budget.isLeft).toBe(isLeft);
  },
);

test("asking whether a restart is allowed does not count as one", () => {
  const budget = new RestartBudget(() => 0);
  const asked = Array.from({ length: 10 }, () => budget.isLeft);
  expect(new Set(asked)).toEqual(new Set([true]));
});
