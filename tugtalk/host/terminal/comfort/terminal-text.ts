/**
 * Text that is safe and short enough for a terminal. All text of Claude's passes `cleanText` before
 * it is printed, so that no file or web page can send the terminal a command.
 */

/** The kind of a line of output, which decides its colour. */
export type Style = "plain" | "dim" | "tool" | "added" | "removed" | "place" | "error" | "ask";

/** One line, or several in one style. */
export type Line = { readonly style: Style; readonly text: string };

const SGR: Record<Style, string> = {
  plain: "",
  dim: "2",
  tool: "1",
  added: "32",
  removed: "31",
  place: "36",
  error: "31",
  ask: "33",
};

/** Control characters but newline and tab, and marks that make text read in another order. */
const UNSAFE = /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A line, without writing out an object. */
export function line(style: Style, text: string): Line {
  return { style, text };
}

/** The text without anything that a terminal would obey instead of showing. */
export function cleanText(text: string): string {
  return text.replace(UNSAFE, "");
}

/** The text in its style's colour, each line for itself; clean in any case. */
export function paintText(text: string, style: Style, hasColors: boolean): string {
  const clean = cleanText(text);
  if (!hasColors || style === "plain") return clean;
  return clean.replace(/[^\n]+/g, (row) => `\u001b[${SGR[style]}m${row}\u001b[0m`);
}

/** The text with its lines broken between words, so that none is longer. */
export function wrapText(text: string, columns: number): string {
  if (columns === Number.POSITIVE_INFINITY) return text;
  return Bun.wrapAnsi(text, columns, { hard: true, trim: false });
}

/** Each line of a text with this indent. */
export function indentText(indent: string, text: string): string {
  return indent + text.replaceAll("\n", `\n${indent}`);
}

/** At most so many characters, with a mark where something is missing. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
}

/** At most so many lines of at most so many characters, and how many more there were. */
export function cutLines(text: string, maxLines: number, maxChars: number): string {
  const lines = text.replace(/\n+$/, "").split("\n");
  const kept = lines.slice(0, maxLines).map((row) => cutText(row, maxChars));
  const left = lines.length - kept.length;
  return [...kept, ...(left > 0 ? [`… ${left} more line${left === 1 ? "" : "s"}`] : [])].join("\n");
}

/** An object's fields on one line: `command: "ls -l", timeout: 5`. */
export function formatFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ");
}

/** Dollars with four digits after the point: `$0.0042`. */
export function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(4)}`;
}
