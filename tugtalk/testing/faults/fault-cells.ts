/** A matrix of cells, each a bridge with one fault in one state: runs a few at a time and prints a table. */
import { FAULT_STATES, type FaultState } from "./fault-scenes.ts";

/** The result of a cell. */
export type CellResult = {
  /** From the fault to the end of the turn, in ms; absent without an open turn. */
  readonly turnMs?: number;
  /** From there to the end of the process. */
  readonly processMs?: number;
  /** Every guarantee that did not hold, as a sentence. */
  readonly broken: readonly string[];
};

export type Cell = {
  readonly fault: string;
  readonly state: FaultState;
  readonly run: () => Promise<CellResult>;
};

/** The bounds of the whole matrix, in ms. */
export const MAX_TURN_MS = 10_000;
export const MAX_PROCESS_MS = 5_000;

/** Results by fault and state. */
export type Matrix = Map<string, CellResult>;

/** Runs all cells, some of them at once, and stores their results. A cell that throws has failed. */
export async function runCells(
  cells: readonly Cell[],
  matrix: Matrix,
  atOnce: number,
): Promise<void> {
  const waiting = [...cells];
  const work = async () => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      const result = await cell.run().catch((error: unknown) => ({ broken: [String(error)] }));
      matrix.set(keyOf(cell), result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** The name of a cell. */
export function keyOf({ fault, state }: Pick<Cell, "fault" | "state">): string {
  return `${fault}, ${state}`;
}

/** The table: a row for each fault, a column for each state, `turn + process` in ms. */
export function formatTable(title: string, cells: readonly Cell[], matrix: Matrix): string {
  const faults = [...new Set(cells.map(({ fault }) => fault))];
  const rows = faults.map((fault) => [
    fault,
    ...FAULT_STATES.map((state) => formatCell(matrix.get(keyOf({ fault, state })))),
  ]);
  const table = [[title, ...FAULT_STATES], ...rows];
  const widths = [title, ...FAULT_STATES].map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ");
  return [...table.map(line), LEGEND].join("\n");
}

const LEGEND =
  "ms from the fault to the end of the turn (-: none was open) + from there, or from the closing " +
  "of the input where Claude goes on, to the end of the process";

function formatCell(result: CellResult | undefined): string {
  if (result === undefined) return "not run";
  const { turnMs, processMs, broken } = result;
  if (broken.length > 0) return `BROKEN: ${broken[0]}`;
  const written = (ms: number | undefined) => (ms === undefined ? "-" : String(Math.round(ms)));
  return `${written(turnMs)} + ${written(processMs)}`;
}
