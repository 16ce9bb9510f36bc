/** Tables of Markdown. Pure. */

export type Row = readonly string[];

/** A table as the formatter writes it: without padding, which would be a third of a page. */
export function table(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

function line(cells: Row): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

export function code(value: string | number): string {
  return `\`${value}\``;
}
