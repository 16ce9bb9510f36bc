/** The search in PostgreSQL: its own index, over the words that the search in SQLite has, too. */
import type { SearchPage, SearchQuery } from "../journal.ts";
import { indexedWords, type Term, termsOf } from "../search-words.ts";
import { snippetOf } from "../snippet.ts";

/** The index has no places beyond this one. */
const MAX_PLACE = 16_383;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** A text as PostgreSQL writes one whose words are known with their places. */
export function wordVector(text: string): string {
  return wordsOf(indexedWords(text))
    .map((word, index) => `${quoted(word)}:${Math.min(index + 1, MAX_PLACE)}`)
    .join(" ");
}

function wordsOf(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** Words have letters and digits only. */
function quoted(word: string): string {
  return `'${word}'`;
}

function queryOf({ words, isPrefix }: Term): string {
  return `(${words.map(quoted).join(" <-> ")}${isPrefix ? ":*" : ""})`;
}

export type FoundText = Omit<SearchPage["hits"][number], "snippet" | "marks"> & {
  readonly number: number;
  readonly text: string;
};

const SEARCH = `
  SELECT texts.number::float8 AS number, id AS session, entry, item, kind, at::float8 AS at, text
  FROM texts JOIN sessions ON sessions.number = texts.session WHERE words @@ $1::tsquery
  AND ($2::bigint IS NULL OR (at, texts.number) < (SELECT at, number FROM texts WHERE number = $2))
  ORDER BY at DESC, texts.number DESC LIMIT $3`;

/** The latest texts that have all words of a query. */
export async function searchTexts(
  read: (statement: string, values: readonly unknown[]) => Promise<readonly FoundText[]>,
  { text, before, limit }: SearchQuery,
): Promise<SearchPage> {
  const terms = termsOf(text);
  if (terms.length === 0) return { hits: [], isPartial: false };
  const query = terms.map(queryOf).join(" & ");
  const found = await read(SEARCH, [query, before ?? null, limit + 1]);
  const shown = found.slice(0, limit);
  const hits = shown.map(({ number: _, text: whole, ...place }) => ({
    ...place,
    ...snippetOf({ kind: place.kind, text: whole }, terms),
  }));
  const last = found.length > limit ? shown.at(-1)?.number : undefined;
  return { hits, isPartial: false, ...(last !== undefined && { before: last }) };
}
