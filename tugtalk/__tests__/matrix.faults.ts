/** Every fault of Claude and of the host in every state: a table of results for each is printed at the end. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CLAUDE_CELLS } from "../testing/faults/claude-faults.ts";
import {
  type Cell,
  formatTable,
  keyOf,
  MAX_PROCESS_MS,
  MAX_TURN_MS,
  type Matrix,
  runCells,
} from "../testing/faults/fault-cells.ts";
import { HOST_CELLS, SILENT_CELLS } from "../testing/faults/host-faults.ts";

type Fault = {
  readonly who: string;
  readonly parts: readonly (readonly [readonly Cell[], number])[];
};

/** The cells, and how many bridges run at once, each with one or two Claudes; silent hosts mostly wait. */
const FAULTS: readonly Fault[] = [
  { who: "Claude", parts: [[CLAUDE_CELLS, 3]] },
  {
    who: "host",
    parts: [
      [HOST_CELLS, 2],
      [SILENT_CELLS, SILENT_CELLS.length],
    ],
  },
];

describe.each(FAULTS)("the faulty $who", ({ who, parts }) => {
  const matrix: Matrix = new Map();
  const cells = parts.flatMap(([own]) => own);
  beforeAll(async () => {
    await Promise.all(parts.map(([own, atOnce]) => runCells(own, matrix, atOnce)));
  }, 300_000);
  afterAll(() => console.log(formatTable(who, cells, matrix)));

  test.each(cells.map(keyOf))("%s: every guarantee holds within the time limits", (key) => {
    const result = matrix.get(key);
    expect(result?.broken).toEqual([]);
    expect(result?.turnMs ?? 0).toBeLessThan(MAX_TURN_MS);
    expect(result?.processMs).toBeLessThan(MAX_PROCESS_MS);
  });
});
