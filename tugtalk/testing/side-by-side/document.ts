/** The table of `roadmap/acp.md`. A row is written by the comparison, and never by hand. Pure. */
import type { Row, Side } from "./comparison.ts";

const HEAD = "| scenario | ours told | theirs told | which is right |\n| --- | --- | --- | --- |";
/** The table stands between these lines. */
const [BEGIN, END] = ["<!-- rows -->", "<!-- /rows -->"];

/** The names of the rows that are there, in order. */
export function rowNames(text: string): string[] {
  return [...linesIn(text).keys()];
}

/** The document with these rows in the order of the names; rows that are not measured again stay. */
export function withRows(text: string, rows: readonly Row[], names: readonly string[]): string {
  const measured = new Map(rows.map((row) => [row.name, formatRow(row)]));
  const before = linesIn(text);
  const lines = names.flatMap((name) => measured.get(name) ?? before.get(name) ?? []);
  const [begin, end] = marks(text);
  return `${text.slice(0, begin)}\n\n${[HEAD, ...lines].join("\n")}\n\n${text.slice(end)}`;
}

function marks(text: string): readonly [number, number] {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`no part between ${BEGIN} and ${END}`);
  return [begin + BEGIN.length, end];
}

function linesIn(text: string): Map<string, string> {
  const lines = text
    .slice(...marks(text))
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return new Map(lines.slice(2).map((line) => [line.split(" | ")[0]?.slice(2).trim() ?? "", line]));
}

export function formatRow({ name, ours, theirs }: Row): string {
  const cells = [name, ours.digest, theirs.digest, verdict(ours, theirs)];
  return `| ${cells.map(escaped).join(" | ")} |`;
}

/** The agent for which all claims hold is right. The verdict names the other claims. */
function verdict(ours: Side, theirs: Side): string {
  const [own, other] = [ours.missed.length === 0, theirs.missed.length === 0];
  const faults = [
    ...ours.missed.map((words) => `ours not: ${words}`),
    ...theirs.missed.map((words) => `theirs not: ${words}`),
  ].join("; ");
  if (own && other) return "both";
  const name = own ? "**ours**" : other ? "**theirs**" : "neither";
  return `${name} (${faults})`;
}

function escaped(cell: string): string {
  return cell.replaceAll("\\n", "⏎").replaceAll("|", "\\|").replaceAll("\n", " ");
}
