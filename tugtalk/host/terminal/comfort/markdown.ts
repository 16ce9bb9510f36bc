/** Markdown with light styles for a terminal: headings, bold text, code, quotes. Pure. */
import { cleanText } from "./terminal-text.ts";

const BOLD = ["\u001b[1m", "\u001b[22m"] as const;
const DIM = ["\u001b[2m", "\u001b[22m"] as const;
const CODE = ["\u001b[36m", "\u001b[39m"] as const;

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^#{1,6}\s+/;
const QUOTE = /^\s*>/;
const MARKS = /\*\*(?=\S)(.+?)(?<=\S)\*\*|`([^`]+)`/g;

/** Whether a line begins or ends a block of code. */
export function isFence(text: string): boolean {
  return FENCE.test(text);
}

/** One line with styles. Marks that have no partner stay as they are. */
export function styleMarkdown(text: string, isCode: boolean): string {
  const clean = cleanText(text);
  if (isCode || isFence(clean)) return paint(CODE, clean);
  if (HEADING.test(clean)) return paint(BOLD, styleMarks(clean.replace(HEADING, "")));
  return QUOTE.test(clean) ? paint(DIM, clean) : styleMarks(clean);
}

/** How much of an unfinished line will look the same whatever follows: up to a mark without partner. */
export function settledPart(text: string): string {
  let end = 0;
  for (const match of text.matchAll(MARKS)) end = match.index + match[0].length;
  const open = text.slice(end).search(/\*\*|`|\*$/);
  return open === -1 ? text : text.slice(0, end + open);
}

function styleMarks(text: string): string {
  return text.replace(MARKS, (_, bold?: string, code?: string) =>
    bold === undefined ? paint(CODE, code ?? "") : paint(BOLD, bold),
  );
}

function paint([begin, end]: readonly [string, string], text: string): string {
  return text === "" ? "" : begin + text + end;
}
