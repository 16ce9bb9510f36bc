/** Which words of two versions of a line differ. Pure. */

export type Segment = { readonly text: string; readonly isMarked: boolean };

export type MarkedPair = {
  readonly before: readonly Segment[];
  readonly after: readonly Segment[];
};

/** The table has a cell for each pair of words; longer lines are not marked. */
const MAX_CELLS = 40_000;

/** Lines with less than this share of their characters in common are two lines, and not one changed line. */
const MIN_COMMON = 0.35;

/** Both lines in segments; undefined where marks would not help. */
export function markWords(before: string, after: string): MarkedPair | undefined {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  if (old.length * fresh.length > MAX_CELLS) return undefined;
  const isKept = commonWords(old, fresh);
  const common = old.filter((word, at) => isKept.old.has(at) && word.trim() !== "").join("").length;
  const shorter = Math.min(inkOf(before), inkOf(after));
  if (shorter === 0 || common / shorter < MIN_COMMON) return undefined;
  return { before: segmentsOf(old, isKept.old), after: segmentsOf(fresh, isKept.fresh) };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** Characters that are seen. */
function inkOf(line: string): number {
  return line.replace(/\s+/g, "").length;
}

type Kept = { readonly old: ReadonlySet<number>; readonly fresh: ReadonlySet<number> };

/** The places of the longest common sequence of words. */
function commonWords(old: readonly string[], fresh: readonly string[]): Kept {
  const lengths = commonLengths(old, fresh);
  const width = fresh.length + 1;
  const kept = { old: new Set<number>(), fresh: new Set<number>() };
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    if (old[row] === fresh[column]) {
      kept.old.add(row++);
      kept.fresh.add(column++);
    } else if (
      (lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)
    )
      row += 1;
    else column += 1;
  }
  return kept;
}

function commonLengths(old: readonly string[], fresh: readonly string[]): Uint16Array {
  const width = fresh.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        old[row] === fresh[column]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}

function segmentsOf(words: readonly string[], kept: ReadonlySet<number>): Segment[] {
  const segments: { text: string; isMarked: boolean }[] = [];
  for (const [at, text] of words.entries()) {
    const isMarked = !kept.has(at);
    const last = segments.at(-1);
    if (last?.isMarked === isMarked) last.text += text;
    else segments.push({ text, isMarked });
  }
  return segments;
}
