/** Figures of two checkouts side by side. */
import { expect, test } from "bun:test";
import { figuresIn, formatPairs } from "../paired.ts";

test("the numbers of a table have the names of table, row and column", () => {
  expect(
    figuresIn(
      "bulk: deltas at once\n             CPU µs   1000 deltas/s\n  floor B   1.62 (1.00 ×)   620 (1.00 ×)\n" +
        "100 decisions\n  median   0.47 ms   (≤ 5 ms: kept)\n  delays   1, 2.5\n",
    ),
  ).toEqual([
    ["bulk: floor B CPU µs", 1.62],
    ["bulk: floor B 1000 deltas/s", 620],
    ["100 decisions: median", 0.47],
    ["100 decisions: delays", 1],
    ["100 decisions: delays 2", 2.5],
  ]);
});

test("a figure is worse beyond a tenth and beyond its noise, and a speed that is lower", () => {
  const before = new Map([
    ["ten a second: ms", [10, 11]],
    ["noisy: ms", [10, 30, 10]],
    ["bulk: 1000 deltas/s", [100, 100]],
    ["none: gaps", [0, 0]],
  ]);
  const after = new Map([
    ["ten a second: ms", [13, 13]],
    ["noisy: ms", [13, 13, 13]],
    ["bulk: 1000 deltas/s", [80, 80]],
    ["none: gaps", [0, 0]],
  ]);
  expect(formatPairs(before, after).map((line) => line.endsWith("WORSE"))).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
