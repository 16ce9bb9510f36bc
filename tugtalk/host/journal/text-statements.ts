/** The prepared statements of the index of texts. */
import type { SearchPage } from "./journal.ts";
import type { Json, Prepare, Session } from "./prepare.ts";

/** The value of `turn` in the table `trash` for a deleted session. */
export const ALL_TURNS = Number.MAX_SAFE_INTEGER;

type TextRow = { number: number; text: string };
type Place = { entry: string; item: string; kind: string };
type Words = { number: number; words: string };
type FoundText = Pick<SearchPage["hits"][number], "session" | "entry" | "item" | "kind"> & TextRow;

export function textStatements(prepare: Prepare) {
  return {
    textAt: prepare<TextRow, Place & Session>(
      `SELECT number, text FROM texts
       WHERE session = $session AND entry = $entry AND item = $item AND kind = $kind`,
    ),
    freeNumber: prepare<{ number: number }, { at: number }>(
      `SELECT iif(EXISTS (SELECT 1 FROM texts WHERE number = $at),
         (SELECT number + 1 FROM texts AS taken WHERE number >= $at
          AND NOT EXISTS (SELECT 1 FROM texts WHERE number = taken.number + 1) ORDER BY number LIMIT 1),
         $at) AS number`,
    ),
    addText: prepare<never, TextRow & Place & Session>(
      "INSERT INTO texts VALUES ($number, $session, $entry, $item, $kind, $text)",
    ),
    addWords: prepare<never, Words>(
      "INSERT INTO text_words(rowid, words) VALUES ($number, $words)",
    ),
    ...removalStatements(prepare),
    search: prepare<FoundText, { match: string; before: number; limit: number }>(
      `SELECT texts.number, id AS session, entry, item, kind, text
       FROM text_words JOIN texts ON texts.number = text_words.rowid
       JOIN sessions ON sessions.number = texts.session
       WHERE text_words MATCH $match AND text_words.rowid < $before AND NOT EXISTS
         (SELECT 1 FROM turns WHERE turns.session = texts.session AND key = entry AND turns.turn <= start_turn)
       ORDER BY text_words.rowid DESC LIMIT $limit`,
    ),
  };
}

export function removalStatements(prepare: Prepare) {
  return {
    /** The texts of a deleted session, or of trimmed turns. */
    removedTexts: prepare<TextRow, Session & { turn: number; limit: number }>(
      `SELECT number, text FROM texts WHERE session = $session AND ($turn = ${ALL_TURNS}
         OR entry IN (SELECT key FROM turns WHERE session = $session AND turn <= $turn))
       LIMIT $limit`,
    ),
    removeText: prepare<never, { number: number }>("DELETE FROM texts WHERE number = $number"),
    removeWords: prepare<never, Words>(
      "INSERT INTO text_words(text_words, rowid, words) VALUES ('delete', $number, $words)",
    ),
  };
}

export function unindexedStatements(prepare: Prepare) {
  return {
    unindexed: prepare<{ session: number }>("SELECT session FROM unindexed LIMIT 1"),
    unindexedTurns: prepare<Session & { turn: number; startTurn: number; row: string }>(
      `SELECT session, unindexed.turn, start_turn AS startTurn, row
       FROM unindexed JOIN sessions ON number = session
       WHERE unindexed.turn IS NOT NULL ORDER BY session DESC LIMIT 1`,
    ),
    unindexedSessions: prepare<Json & { id: string }>(
      "SELECT id, row FROM unindexed JOIN sessions ON number = session WHERE unindexed.turn IS NULL",
    ),
    setUnindexed: prepare<never, Session & { turn: number }>(
      "INSERT OR REPLACE INTO unindexed VALUES ($session, $turn)",
    ),
    setIndexed: prepare<never, Session>("DELETE FROM unindexed WHERE session = $session"),
  };
}
