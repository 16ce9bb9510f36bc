/**
 * Text that is safe and short enough for a terminal. Everything that comes from Claude passes
 * `cleanText` before it is printed, so that no file or web page can send the terminal a command.
 */

/** What a line of output is, which decides its colour. */
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

/** The text without anything that a terminal would obey instead of showing. */
export function cleanText(text: string): string {
  return text.replace(UNSAFE, "");
}

/** The text in its style's colour, each line for itself; clean in any case. */
export function paintText(text: string, style: Style, hasColors: boolean): string {
  const clean = cleanText(text);
  if (!hasColors || style === "plain") return clean;
  return clean.replace(/[^\n]+/g, (line) => `\u001b[${SGR[style]}m${line}\u001b[0m`);
}

/** At most so many characters, with a mark where something is missing. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
}

/** At most so many lines of at most so many characters, and how many more there were. */
export function cutLines(text: string, maxLines: number, maxChars: number): string {
  const lines = text.replace(/\n+$/, "").split("\n");
  const kept = lines.slice(0, maxLines).map((line) => cutText(line, maxChars));
  const left = lines.length - kept.length;
  return [...kept, ...(left > 0 ? [`… ${left} more line${left === 1 ? "" : "s"}`] : [])].join("\n");
}

/** An object's fields on one line: `command: "ls -l", timeout: 5`. */
export function formatFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ");
}

/** Dollars with as many digits as tell something: `$0.0042`. */
export function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(4)}`;
}
