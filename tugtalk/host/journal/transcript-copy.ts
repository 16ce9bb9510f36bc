/** The copy of Claude's own files of a conversation, which is kept line by line. Pure. */

/** The place of a line in the copy: `start` counts bytes, and each line includes its line end. */
export type LinePlace = { readonly file: string; readonly start: number };
export type LineRow = LinePlace & { readonly line: string };

/**
 * Lines that were appended to a file, or that may replace earlier ones. Without lines: the file's lines are
 * deleted.
 */
export type FileChange = {
  readonly file: string;
  readonly added?: { readonly offset: number; readonly lines: readonly string[] };
};

/** The lines of a file that begin between `from` and `to`, `to` excluded. */
export type LineSpan = { readonly file: string; readonly from: number; readonly to: number };

const WHOLE = { from: 0, to: Number.MAX_SAFE_INTEGER };

/**
 * The changes as rows: first the lines in the spans are deleted, then the rows are written. No two rows have
 * the same place.
 */
export function copyRows(changes: readonly FileChange[]): {
  readonly spans: readonly LineSpan[];
  readonly rows: readonly LineRow[];
} {
  let rows: readonly LineRow[] = [];
  const spans: LineSpan[] = [];
  for (const { file, added } of changes) {
    const fresh = added === undefined ? [] : rowsOf(file, added.offset, added.lines);
    const span = {
      file,
      ...(added === undefined ? WHOLE : { from: added.offset, to: rowsEnd(fresh) }),
    };
    spans.push(span);
    rows = [...rows.filter((row) => !isWithin(row, span)), ...fresh];
  }
  return { spans, rows };
}

function rowsOf(file: string, offset: number, lines: readonly string[]): readonly LineRow[] {
  let start = offset;
  return lines.map((line) => {
    const row = { file, start, line };
    start = rowsEnd([row]);
    return row;
  });
}

/** The offset after these rows. */
export function rowsEnd(rows: readonly LineRow[]): number {
  const last = rows.at(-1);
  return last === undefined ? 0 : last.start + Buffer.byteLength(last.line) + 1;
}

function isWithin({ file, start }: LinePlace, span: LineSpan): boolean {
  return file === span.file && start >= span.from && start < span.to;
}

/** The place before all lines. */
export const BEGINNING: LinePlace = { file: "", start: 0 };

/** The first lines, up to a number of characters but at least one. */
export function upTo(rows: Iterable<LineRow>, maxChars: number): readonly LineRow[] {
  const lines: LineRow[] = [];
  let chars = 0;
  for (const row of rows) {
    chars += row.line.length;
    if (lines.length > 0 && chars > maxChars) break;
    lines.push(row);
  }
  return lines;
}

/** The file of a conversation, and the folder with the files of its agents. */
export function filesOf(conversation: string): { readonly main: string; readonly folder: string } {
  return { main: `${conversation}.jsonl`, folder: `${conversation}/` };
}
