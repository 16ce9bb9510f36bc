/** Every fault of Claude in every state; a table of results is printed at the end. */
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

/** How many bridges run at once, each with one or two Claudes. */
const AT_ONCE = 3;

const matrix: Matrix = new Map();

beforeAll(() => runCells(CLAUDE_CELLS, matrix, AT_ONCE), 300_000);

afterAll(() => console.log(formatTable("Claude", CLAUDE_CELLS, matrix)));

test.each(CLAUDE_CELLS.map(keyOf))(
  "Claude %s: every guarantee holds within the time limits",
  (key) => {
    const result = matrix.get(key);
    expect(result?.broken).toEqual([]);
    expect(result?.turnMs ?? 0).toBeLessThan(MAX_TURN_MS);
    expect(result?.processMs).toBeLessThan(MAX_PROCESS_MS);
  },
);
