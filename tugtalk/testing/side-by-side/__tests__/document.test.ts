/** The table of `roadmap/acp.md` has a row for each scenario. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { rowNames, withRows } from "../document.ts";
import { SCENARIOS } from "../scenarios/scenarios.ts";

const NAMES = SCENARIOS.map(({ name }) => name);
const ROADMAP = join(import.meta.dir, "..", "..", "..", "..", "roadmap");
const document = await Bun.file(join(ROADMAP, "acp.md")).text();

test("the document has the row of each scenario, in order", () => {
  expect(rowNames(document)).toEqual(NAMES);
});

test("a row that is measured again takes the place of the old one, says which claims do not hold, and the others stay", () => {
  const [first, second] = ["start", "bad input"];
  const side = { digest: "**end_turn** | and\nmore", missed: [] };
  const row = { name: first, ours: side, theirs: { ...side, missed: ["the turn ends"] } };
  const before =
    "# Title\n<!-- rows -->\n| a |\n| - |\n| bad input | x | y | both |\n<!-- /rows -->\nEnd\n";
  const after = withRows(before, [row], [first, second]);
  expect(after).toContain("| start | **end_turn** \\| and more |");
  expect(after).toContain(
    "| **ours** (theirs not: the turn ends) |\n| bad input | x | y | both |\n",
  );
  expect(after.endsWith("<!-- /rows -->\nEnd\n")).toBe(true);
});
