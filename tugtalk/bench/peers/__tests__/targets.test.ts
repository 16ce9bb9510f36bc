/** Whether targets are reached, and how the tables get into a document. */
import { expect, test } from "bun:test";
import type { Sample } from "../comparison.ts";
import { formatMeasured, replaceMeasured } from "../measured-document.ts";
import { formatTargets, type Target } from "../targets.ts";

function samples(contender: string, ...values: readonly number[]): Sample[] {
  return values.map((ms, round) => ({ scenario: "start", contender, round, measures: { ms } }));
}

const TARGET: Target = {
  scenario: "start",
  contender: "binary",
  measure: "ms",
  must: { times: 2, of: "floor B" },
  stretch: { atMost: 34 },
};

function lineOf(...all: readonly Sample[]): string | undefined {
  return formatTargets(all, [TARGET]).split("\n")[2];
}

test("a target of a ratio is judged by the rounds, one by one, and one of a figure by the median", () => {
  const floor = samples("floor B", 10, 20, 40);
  expect(lineOf(...floor, ...samples("binary", 18, 36, 400))).toBe(
    "| start | binary | ms | 36.0 | ≤ 2 × floor B: ✓ held (1.80 ×) | ≤ 34: ✗ missed |",
  );
  expect(lineOf(...floor, ...samples("binary", 30, 33, 200))).toBe(
    "| start | binary | ms | 33.0 | ≤ 2 × floor B: ✗ missed (3.00 ×) | ≤ 34: ✓ held |",
  );
});

test("a target whose contender is missing is not measured", () => {
  expect(lineOf(...samples("floor B", 10))).toBe(
    "| start | binary | ms | not measured | ≤ 2 × floor B: not measured | ≤ 34: not measured |",
  );
  expect(lineOf(...samples("binary", 30))).toBe(
    "| start | binary | ms | 30.0 | ≤ 2 × floor B: not measured | ≤ 34: ✓ held |",
  );
});

test("the tables name the figures that were not measured, and how far the base is from itself", () => {
  const scenarios = [
    { name: "start", what: "ten starts" },
    { name: "bulk", what: "deltas" },
  ];
  const text = formatMeasured("a day", scenarios, samples("floor B", 10, 25));
  expect(text).toContain("bulk: deltas: not measured.");
  expect(text).toContain("floor B against itself in other rounds: ms up to 2.50 ×.");
});

test("only the text between the marks is replaced, and a document without them is refused", () => {
  const document = "above\n<!-- measured -->\n\nold\n\n<!-- /measured -->\nbelow\n";
  expect(replaceMeasured(document, "new")).toBe(document.replace("old", "new"));
  expect(() => replaceMeasured("above\nbelow\n", "new")).toThrow("no part between");
});
