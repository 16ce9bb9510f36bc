/** Long lists of lines: the first and the last of them, and how many lie between. Pure. */

export type Fold<Line> = {
  readonly head: readonly Line[];
  /** Lines that are left out; none if all are in `head`. */
  readonly hidden: number;
  readonly tail: readonly Line[];
};

export type FoldSize = { readonly head: number; readonly tail: number };

/** A button for fewer lines than these is not worth its place. */
const MIN_HIDDEN = 4;

export function foldLines<Line>(lines: readonly Line[], { head, tail }: FoldSize): Fold<Line> {
  const hidden = lines.length - head - tail;
  if (hidden < MIN_HIDDEN) return { head: lines, hidden: 0, tail: [] };
  return { head: lines.slice(0, head), hidden, tail: tail === 0 ? [] : lines.slice(-tail) };
}
