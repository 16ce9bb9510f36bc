/** The summary of the figures of several rounds. */
import { expect, test } from "bun:test";
import { compare, formatTable, type Sample } from "../comparison.ts";
import { BASE } from "../contenders.ts";

const SAMPLES: readonly Sample[] = [
  [BASE, 0, 10],
  ["source", 0, 30],
  [BASE, 1, 100],
  ["source", 1, 200],
  [BASE, 2, 20],
  ["source", 2, 80],
].map(([contender, round, value]) => ({
  scenario: "start",
  contender: String(contender),
  round: Number(round),
  measures: { ms: Number(value) },
}));

test("a contender is compared with floor B of the same round, and the median of these ratios counts", () => {
  expect(compare(SAMPLES)).toEqual([
    { contender: BASE, measure: "ms", median: 20, ratio: 1 },
    { contender: "source", measure: "ms", median: 80, ratio: 3 },
  ]);
});

test("without floor B in a run there are figures and no ratios", () => {
  const own = SAMPLES.filter(({ contender }) => contender !== BASE);
  expect(compare(own)).toEqual([{ contender: "source", measure: "ms", median: 80 }]);
});

test("the table has a line for each contender, with the ratio behind the figure", () => {
  expect(formatTable("start", compare(SAMPLES)).split("\n")).toEqual([
    "start",
    `${" ".repeat(23)}ms`,
    "  floor B   20.0 (1.00 ×)",
    "  source    80.0 (3.00 ×)",
  ]);
});
