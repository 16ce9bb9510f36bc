/** The search in PostgreSQL. It has its own index, over the same words as the search in SQLite. */
import { SQL } from "bun";
import type { SearchPage, SearchQuery } from "../journal.ts";
import { SlowSearchError } from "../journal-error.ts";
import { indexedWords, type Term, termsOf } from "../search-words.ts";
import { snippetOf } from "../snippet.ts";
import { answered, databaseAway, MAX_ANSWER_MS, type Pool } from "./replaceable-pool.ts";
import { shortTransaction } from "./short-transaction.ts";

/** PostgreSQL's index has no greater word position. */
const MAX_PLACE = 16_383;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The text form of PostgreSQL's `tsvector`, with the words of a text and their positions. */
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

/** The server ends a search that takes longer. */
const MAX_SEARCH_MS = 20_000;
/** The SQLSTATE of a cancelled statement. */
const ENDED = "57014";

/** Runs searches one after the other, so that slow ones leave the other connections to writes. */
export class Searches {
  readonly #pool: Pool;
  readonly #limitMs: number;
  #latest: Promise<unknown> = Promise.resolve();

  constructor(pool: Pool, limitMs = MAX_SEARCH_MS) {
    this.#pool = pool;
    this.#limitMs = limitMs;
  }

  /** The latest texts that have all words of a query. */
  search(query: SearchQuery): Promise<SearchPage> {
    const found = this.#latest.then(() => searchTexts(this.#pool, query, this.#limitMs));
    this.#latest = found.catch(() => {
      // The caller gets the failure.
    });
    return found;
  }
}

async function searchTexts(
  pool: Pool,
  { text, before, limit }: SearchQuery,
  limitMs: number,
): Promise<SearchPage> {
  const terms = termsOf(text);
  if (terms.length === 0) return { hits: [], isPartial: false };
  const query = terms.map(queryOf).join(" & ");
  if (pool.isAway === true) throw databaseAway();
  const work = (sql: SQL) => find(sql, [query, before ?? null, limit + 1], limitMs);
  const found = await answered(pool, work, limitMs + MAX_ANSWER_MS);
  const shown = found.slice(0, limit);
  const hits = shown.map(({ number: _, text: whole, ...place }) => ({
    ...place,
    ...snippetOf({ kind: place.kind, text: whole }, terms),
  }));
  const last = found.length > limit ? shown.at(-1)?.number : undefined;
  return { hits, isPartial: false, ...(last !== undefined && { before: last }) };
}

/** Runs as a transaction, and so on a connection of its own: no other work waits behind it. */
async function find(sql: SQL, values: readonly unknown[], limitMs: number): Promise<FoundText[]> {
  try {
    return await shortTransaction(sql, async (transaction) => {
      await transaction.unsafe(`SET LOCAL statement_timeout = ${limitMs}`);
      return transaction.unsafe<FoundText[]>(SEARCH, [...values]);
    });
  } catch (error) {
    const isEnded = error instanceof SQL.PostgresError && error.errno === ENDED;
    throw isEnded ? new SlowSearchError(limitMs) : error;
  }
}
