/** The part of a text around a hit. Pure. */
import type { SearchHit } from "../../client/host-api.ts";
import { unmarkedText } from "../../client/views/unmarked-text.ts";
import { marksIn, type Term } from "./search-words.ts";

const CHARS = 200;
const CHARS_BEFORE = 60;

type Snippet = Pick<SearchHit, "snippet" | "marks">;

/** One line that begins a little before the first hit. Claude's Markdown is reduced to its readable text. */
export function snippetOf(
  { kind, text }: Pick<SearchHit, "kind"> & { readonly text: string },
  terms: readonly Term[],
): Snippet {
  const line = text.replace(/\s+/g, " ");
  if (kind !== "text") return snippetIn(line, terms);
  const read = snippetIn(unmarkedText(text), terms);
  // The hit may be in the address of a link, which is not readable text.
  return read.marks.length > 0 ? read : snippetIn(line, terms);
}

function snippetIn(line: string, terms: readonly Term[]): Snippet {
  const marks = marksIn(line, terms);
  const start = Math.max((marks[0]?.start ?? 0) - CHARS_BEFORE, 0);
  const snippet = line.slice(start, start + CHARS).toWellFormed();
  const inside = marks.flatMap((mark) => {
    const end = Math.min(mark.end - start, snippet.length);
    return mark.start - start < end ? [{ start: mark.start - start, end }] : [];
  });
  return { snippet, marks: inside };
}
