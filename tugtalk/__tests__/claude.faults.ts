/** Claude fails, in every way and in every state: the rows and columns of a table that is printed at the end. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { CLAUDE_CELLS } from "../testing/faults/claude-faults.ts";
import {
  formatTable,
  keyOf,
  MAX_PROCESS_MS,
  MAX_TURN_MS,
  type Matrix,
  runCells,
} from "../testing/faults/fault-cells.ts";

/** How many bridges run at once, each with a Claude or two: few, since other tests run beside them. */
const AT_ONCE = 3;

const matrix: Matrix = new Map();

beforeAll(() => runCells(CLAUDE_CELLS, matrix, AT_ONCE), 300_000);

afterAll(() => console.log(formatTable("Claude", CLAUDE_CELLS, matrix)));

test.each(CLAUDE_CELLS.map(keyOf))("Claude %s: every guarantee holds, within bounds", (key) => {
  const result = matrix.get(key);
  expect(result?.broken).toEqual([]);
  expect(result?.turnMs ?? 0).toBeLessThan(MAX_TURN_MS);
  expect(result?.processMs).toBeLessThan(MAX_PROCESS_MS);
});
