/** The lines of a diff with their numbers, and with the words that differ in lines that changed. Pure. */
import type { DiffHunk } from "../../client/prompt-models.ts";
import { markWords, type Segment } from "./word-marks.ts";

export type DiffRow = {
  /** `gap`: lines that are left out; `note`: no line of the file, like `\ No newline at end of file`. */
  readonly kind: "kept" | "removed" | "added" | "note" | "gap";
  readonly oldNumber?: number;
  readonly newNumber?: number;
  /** Finds the words that differ, when the row is drawn. */
  readonly segments: () => readonly Segment[];
};

export function diffRows(hunks: readonly DiffHunk[]): DiffRow[] {
  return hunks.flatMap((hunk, at) => {
    const rows = withMarks(hunkRows(hunk));
    return at === 0 ? rows : [GAP, ...rows];
  });
}

const GAP: DiffRow = { kind: "gap", segments: () => [] };

/** Lines of a kind that is not known are drawn as context (§19). */
function hunkRows({ oldStart, newStart, lines }: DiffHunk): DiffRow[] {
  let [oldNumber, newNumber] = [oldStart, newStart];
  return lines.map((line) => {
    const segments = () => plain(line.slice(1));
    switch (line[0]) {
      case "-":
        return { kind: "removed", oldNumber: oldNumber++, segments };
      case "+":
        return { kind: "added", newNumber: newNumber++, segments };
      case "\\":
        return { kind: "note", segments: () => plain(line) };
      default:
        return { kind: "kept", oldNumber: oldNumber++, newNumber: newNumber++, segments };
    }
  });
}

function plain(text: string): readonly Segment[] {
  return [{ text, isMarked: false }];
}

/** Pairs removed lines with the added lines that follow: the first with the first, and so on. */
function withMarks(rows: readonly DiffRow[]): DiffRow[] {
  const marked = [...rows];
  for (let at = 0; at < rows.length; at += 1) {
    const removed = countOf(rows, at, "removed");
    const added = countOf(rows, at + removed, "added");
    for (let pair = 0; pair < Math.min(removed, added); pair += 1)
      markPair(marked, at + pair, at + removed + pair);
    at += Math.max(removed + added - 1, 0);
  }
  return marked;
}

function countOf(rows: readonly DiffRow[], from: number, kind: DiffRow["kind"]): number {
  let count = 0;
  while (rows[from + count]?.kind === kind) count += 1;
  return count;
}

function markPair(rows: DiffRow[], removedAt: number, addedAt: number): void {
  const [removed, added] = [rows[removedAt], rows[addedAt]];
  if (removed === undefined || added === undefined) return;
  const marks = once(() => markWords(textOf(removed), textOf(added)));
  rows[removedAt] = { ...removed, segments: () => marks()?.before ?? removed.segments() };
  rows[addedAt] = { ...added, segments: () => marks()?.after ?? added.segments() };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function textOf({ segments }: DiffRow): string {
  return segments()
    .map(({ text }) => text)
    .join("");
}

/** How many lines a change adds and removes. */
export function countChanges(hunks: readonly DiffHunk[]): {
  readonly added: number;
  readonly removed: number;
} {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { added: count("+"), removed: count("-") };
}
