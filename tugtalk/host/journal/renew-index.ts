/**
 * Writes the index anew after texts were taken out of it: until then it has their words, and marks that they
 * are gone. SQLite's option for that, `secure-delete`, leaves the words that pages begin with.
 */
import type { Database } from "bun:sqlite";

/**
 * The session number of the index in the table `trash`. `seq`: the index is being written. `turn`: it has to
 * be written again.
 */
export const INDEX = 0;

/** Pages of the index, which are half as large as the pages of the file. */
const PIECE_PAGES = 50;

/** Runs in the transaction that takes texts out. */
export function wantRenewal(db: Database): void {
  db.query("INSERT INTO trash VALUES ($INDEX, 0, 1) ON CONFLICT DO UPDATE SET turn = 1").run({
    INDEX,
  });
}

/** Runs within a transaction. */
export function renewPiece(db: Database): void {
  const { isWanted } = db
    .query<{ isWanted: number }, [{ INDEX: number }]>(
      "SELECT seq = 0 AND turn = 1 AS isWanted FROM trash WHERE session = $INDEX",
    )
    .get({ INDEX }) ?? { isWanted: 0 };
  // The first piece marks all segments to become one; the next pieces continue this.
  if (isWanted === 1)
    db.query("UPDATE trash SET seq = 1, turn = 0 WHERE session = $INDEX").run({ INDEX });
  if (mergePages(db, isWanted === 1 ? -PIECE_PAGES : PIECE_PAGES)) return;
  db.query("DELETE FROM trash WHERE session = $INDEX AND turn = 0").run({ INDEX });
  db.query("UPDATE trash SET seq = 0 WHERE session = $INDEX").run({ INDEX });
}

/** False: there was nothing to merge. */
function mergePages(db: Database, pages: number): boolean {
  const changes = () =>
    db.query<{ count: number }, []>("SELECT total_changes() AS count").get()?.count ?? 0;
  const before = changes();
  db.query("INSERT INTO text_words(text_words, rank) VALUES ('merge', $pages)").run({ pages });
  // The command itself counts as one change.
  return changes() - before > 1;
}
