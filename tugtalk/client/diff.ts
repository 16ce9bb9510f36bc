/** The difference of two texts, line by line, as the hunks of a unified diff. Pure. */
import type { DiffHunk } from "./prompt-models.ts";

/** Unchanged lines that are shown around a change. */
const CONTEXT_LINES = 3;

/** The table below has a cell for each pair of lines; past this, the middle counts as replaced. */
const MAX_CELLS = 4_000_000;

/** The hunks that make the old text the new one; none where they are equal. */
export function diffTexts(oldText: string, newText: string): DiffHunk[] {
  return cutHunks(diffLines(splitLines(oldText), splitLines(newText)));
}

/** An empty text has no lines; the newline at the end begins none. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** All lines of both texts in order, marked as kept, removed or added. */
function diffLines(before: readonly string[], after: readonly string[]): string[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const kept = (lines: readonly string[]) => lines.map((line) => ` ${line}`);
  return [
    ...kept(before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...kept(before.slice(before.length - end)),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): string[] {
  if (before.length * after.length > MAX_CELLS) return replaceAll(before, after);
  const common = commonLengths(before, after);
  const width = after.length + 1;
  const marked: string[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      marked.push(` ${before[row]}`);
      row += 1;
      column += 1;
    } else if (
      (common[(row + 1) * width + column] ?? 0) >= (common[row * width + column + 1] ?? 0)
    ) {
      marked.push(`-${before[row]}`);
      row += 1;
    } else {
      marked.push(`+${after[column]}`);
      column += 1;
    }
  }
  return [...marked, ...replaceAll(before.slice(row), after.slice(column))];
}

function replaceAll(before: readonly string[], after: readonly string[]): string[] {
  return [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
}

/** For each pair of places: how many lines the rests of both texts have in common at most. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const isEqual = before[row] === after[column];
      const diagonal = (lengths[(row + 1) * width + column + 1] ?? 0) + 1;
      const below = lengths[(row + 1) * width + column] ?? 0;
      const right = lengths[row * width + column + 1] ?? 0;
      lengths[row * width + column] = isEqual ? diagonal : Math.max(below, right);
    }
  }
  return lengths;
}

/** Only the lines near a change, cut into hunks where unchanged lines lie between. */
function cutHunks(marked: readonly string[]): DiffHunk[] {
  const changed = marked.flatMap((line, index) => (line.startsWith(" ") ? [] : [index]));
  const near = new Set(changed.flatMap(neighbours));
  const hunks: { oldStart: number; newStart: number; lines: string[] }[] = [];
  let oldStart = 1;
  let newStart = 1;
  for (const [index, line] of marked.entries()) {
    if (near.has(index)) {
      if (index === 0 || !near.has(index - 1)) hunks.push({ oldStart, newStart, lines: [] });
      hunks.at(-1)?.lines.push(line);
    }
    if (!line.startsWith("+")) oldStart += 1;
    if (!line.startsWith("-")) newStart += 1;
  }
  return hunks.map((hunk) => ({
    ...hunk,
    oldLines: countWithout("+", hunk.lines),
    newLines: countWithout("-", hunk.lines),
  }));
}

function countWithout(mark: string, lines: readonly string[]): number {
  return lines.filter((line) => !line.startsWith(mark)).length;
}

function neighbours(index: number): number[] {
  return Array.from({ length: 2 * CONTEXT_LINES + 1 }, (_, at) => index - CONTEXT_LINES + at);
}
