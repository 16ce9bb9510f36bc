/** Every row and every expectation of the page has a test, and each of these tests exists. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../../testing/drivers/import-graph.ts";
import { DELIGHT, TABLE_STAKES } from "./support/expectations.ts";
import { ROWS, RULED_OUT } from "./support/plan-rows.ts";
import type { Named } from "./support/test-files.ts";

const idsOf = (letter: string, first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => `${letter}${first + at}`);

/** The files of tests, by their names, of which two rooms may have the same. */
const TEXTS = Map.groupBy(
  [...new Bun.Glob("**/*.ts").scanSync(ROOT)].map(
    (path) => [basename(path), readFileSync(join(ROOT, path), "utf8")] as const,
  ),
  ([name]) => name,
);

function isLost([file, title]: Named): boolean {
  return !TEXTS.get(file)?.some(
    ([, text]) => text.includes(`"${title}`) || text.includes(`\`${title}`),
  );
}

test("every row of the four plans that is about the page has a test, or is ruled out", () => {
  const rows = [
    ...idsOf("K", 37, 47),
    ...idsOf("D", 12, 20),
    ...idsOf("F", 28, 40),
    ...idsOf("B", 1, 12),
  ];
  const shown = Object.entries(ROWS).flatMap(([plan, ofPlan]) =>
    Object.keys(ofPlan).map((number) => `${plan}${number}`),
  );
  expect([...shown, ...RULED_OUT].sort()).toEqual(rows.sort());
});

test("each test that shows a row, or what people expect, exists", () => {
  const named = [
    ...Object.values(ROWS).flatMap((ofPlan) => Object.values(ofPlan).flat()),
    ...Object.values(TABLE_STAKES),
    ...Object.values(DELIGHT),
  ];
  expect(named.filter(isLost)).toEqual([]);
});

test("the developer guide says how the page gets a card for a new kind of prompt", () => {
  const guide = readFileSync(join(ROOT, "..", "roadmap", "interactive-tools.md"), "utf8");
  expect(guide).toContain("tugtalk/web/prompts/prompt-card.tsx");
  expect(guide).toContain("tugtalk/client/views/prompt-view.ts");
});
