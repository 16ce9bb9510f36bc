/** The index of texts and tool calls: commits write it with their entries, and the search reads it. */
import { readableTurn, rowNumber } from "./damage.ts";
import type { SearchPage, SearchQuery } from "./journal.ts";
import { indexedWords, type Term, termsOf } from "./search-words.ts";
import { type TimedText, timedTexts } from "./session-texts.ts";
import { snippetOf } from "./snippet.ts";
import type { Statements } from "./statements.ts";

type Removal = Pick<Statements, "removeText" | "removeWords">;
type TextRow = { readonly number: number; readonly text: string };

/** Adds texts, or replaces the texts in their places. Runs within a transaction. */
export function addTexts(sql: Statements, session: number, texts: readonly TimedText[]): void {
  for (const { at, text, ...place } of texts) {
    const before = sql.textAt.get({ session, ...place });
    if (before?.text === text) continue;
    if (before !== null) removeTexts(sql, [before]);
    const number = before?.number ?? sql.freeNumber.get({ at })?.number ?? at;
    sql.addText.run({ number, session, ...place, text });
    sql.addWords.run({ number, words: indexedWords(text) });
  }
}

/** Takes texts out of the index, which needs the text itself for that. */
export function removeTexts(sql: Removal, rows: readonly TextRow[]): void {
  for (const { number, text } of rows) {
    sql.removeWords.run({ number, words: indexedWords(text) });
    sql.removeText.run({ number });
  }
}

/** Turns of a piece. */
const PIECE_TURNS = 10;

/**
 * Indexes some turns of a session without an index, latest first. Runs within a transaction. False: there are
 * none left.
 */
export function indexPiece(sql: Statements): boolean {
  const next = sql.unindexedTurns.get({});
  if (next === null) return false;
  const { session, turn: before, startTurn: after } = next;
  const rows = sql.turnsBetween.all({ session, before, after, limit: PIECE_TURNS }).reverse();
  const turns = rows.map(readableTurn);
  addTexts(
    sql,
    session,
    timedTexts(turns, rowNumber(next.row, "createdAt")).filter((text) => isNew(sql, session, text)),
  );
  const first = rows[0];
  if (first === undefined) sql.setIndexed.run({ session });
  else sql.setUnindexed.run({ session, turn: first.turn });
  return true;
}

/** Whether the text's place is empty: a text that was indexed meanwhile is newer. */
function isNew(sql: Statements, session: number, { entry, item, kind }: TimedText): boolean {
  return sql.textAt.get({ session, entry, item, kind }) === null;
}

/** The sessions without an index, latest used first. */
export function unindexedSessions(sql: Statements): readonly string[] {
  const sessions = sql.unindexedSessions.all({}).map(({ id, row }) => ({
    id,
    updatedAt: rowNumber(row, "updatedAt"),
  }));
  return sessions.sort((one, other) => other.updatedAt - one.updatedAt).map(({ id }) => id);
}

/** The latest texts that have all words of a query. */
export function search(sql: Statements, { text, before, limit }: SearchQuery): SearchPage {
  const terms = termsOf(text);
  const isPartial = sql.unindexed.get({}) !== null;
  if (terms.length === 0) return { hits: [], isPartial };
  const wanted = { match: terms.map(matchOf).join(" AND "), before: before ?? MAX_NUMBER };
  const found = sql.search.all({ ...wanted, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const hits = shown.map(({ number: at, text: whole, ...place }) => ({
    ...place,
    at,
    ...snippetOf({ kind: place.kind, text: whole }, terms),
  }));
  const last = found.length > limit ? shown.at(-1)?.number : undefined;
  return { hits, isPartial, ...(last !== undefined && { before: last }) };
}

const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

/**
 * The query for the index. Words have letters and digits only, so that nothing within the quotes is an
 * operator.
 */
function matchOf({ words, isPrefix }: Term): string {
  return `"${words.join(" ")}"${isPrefix ? "*" : ""}`;
}
