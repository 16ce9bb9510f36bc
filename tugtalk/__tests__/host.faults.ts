/** The host fails, in every way and in every state: the rows and columns of a table that is printed at the end. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  formatTable,
  keyOf,
  MAX_PROCESS_MS,
  MAX_TURN_MS,
  type Matrix,
  runCells,
} from "../testing/faults/fault-cells.ts";
import { HOST_CELLS, SILENT_CELLS } from "../testing/faults/host-faults.ts";

const CELLS = [...HOST_CELLS, ...SILENT_CELLS];

/** How many bridges run at once beside those whose host is silent, which mostly wait. */
const AT_ONCE = 2;

const matrix: Matrix = new Map();

beforeAll(async () => {
  await Promise.all([
    runCells(HOST_CELLS, matrix, AT_ONCE),
    runCells(SILENT_CELLS, matrix, SILENT_CELLS.length),
  ]);
}, 300_000);

afterAll(() => console.log(formatTable("host", CELLS, matrix)));

test.each(CELLS.map(keyOf))("the host %s: every guarantee holds within the time limits", (key) => {
  const result = matrix.get(key);
  expect(result?.broken).toEqual([]);
  expect(result?.turnMs ?? 0).toBeLessThan(MAX_TURN_MS);
  expect(result?.processMs).toBeLessThan(MAX_PROCESS_MS);
});
