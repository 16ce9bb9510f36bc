/** Pieces of a text, and a text with other pieces in their places. */
import type { Range, SecretRange } from "./secret-shapes.ts";

/** Where a piece of text stands in another. */
export function findWord(word: string, text: string): SecretRange[] {
  const found: SecretRange[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
    found.push({ label: at, start: at, end: at + word.length });
  return found;
}

/** As long as the text, but without the letters of JSON's escapes: the n of `\n` begins no word. */
export function withoutEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\[\\bfnrt]/g, "\\\\");
}

/** The pieces in order, those that overlap as one. */
export function merged(ranges: readonly SecretRange[]): SecretRange[] {
  const result: SecretRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last === undefined || range.start >= last.end) result.push(range);
    else {
      const label = Math.min(last.label, range.label);
      result[result.length - 1] = { label, start: last.start, end: Math.max(last.end, range.end) };
    }
  }
  return result;
}

/** The text with other pieces; what is between them is taken from `rest`, which is as long. */
export function replaced(
  text: string,
  ranges: readonly Range[],
  replacement: (piece: string) => string,
  rest = text,
): string {
  let done = 0;
  let result = "";
  for (const { start, end } of ranges) {
    result += rest.slice(done, start) + replacement(text.slice(start, end));
    done = end;
  }
  return done === 0 ? rest : result + rest.slice(done);
}
