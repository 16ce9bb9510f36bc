/**
 * Takes out the rows of deleted sessions and trimmed entries, and gives their space back to the disk.
 * It works a piece at a time, so that running sessions are not held up.
 */
import type { Database } from "bun:sqlite";
import { emptyLog, isFull } from "./full-disk.ts";
import { INDEX, renewPiece, wantRenewal } from "./renew-index.ts";
import { removeTexts } from "./text-index.ts";
import { ALL_TURNS, removalStatements } from "./text-statements.ts";

/**
 * The most that one piece deletes: entries or turns, their bytes, texts of the index, lines of Claude's
 * files, and pages of the file.
 */
const PIECE = { rows: 500, bytes: 1024 * 1024, texts: 50, lines: 100, pages: 250 };
const PAUSE_MS = 5;

type Trash = { readonly session: number; readonly seq: number; readonly turn: number };

/** Sweeps between other work, from each `wake` on until nothing is left. */
export class Sweeper {
  readonly #db: Database;
  readonly #onFull: () => void;
  #timer: Timer | undefined;

  /** `onFull` is called when the disk has no room for the log of a sweep. */
  constructor(db: Database, onFull: () => void) {
    this.#db = db;
    this.#onFull = onFull;
  }

  wake(): void {
    this.#timer ??= setTimeout(() => this.#sweep(), PAUSE_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #sweep(): void {
    this.#timer = undefined;
    try {
      this.#sweepPiece();
    } catch {
      // The file cannot be written. Commits fail too, which report it. The next wake tries again.
    }
  }

  #sweepPiece(): void {
    try {
      if (sweepPiece(this.#db)) this.wake();
      else emptyLog(this.#db);
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#onFull();
    }
  }
}

/** False: nothing is left. */
export function sweepPiece(db: Database): boolean {
  const trash = db
    .query<Trash, []>("SELECT session, seq, turn FROM trash ORDER BY session DESC LIMIT 1")
    .get();
  if (trash === null) return shrinkPiece(db);
  db.transaction(() => {
    if (trash.session === INDEX) renewPiece(db);
    else deletePiece(db, trash);
  })();
  return true;
}

function deletePiece(db: Database, { session, seq, turn }: Trash): void {
  if (deleteRows(db, "entries", "seq", { session, last: seq }) > 0) return;
  if (deleteTexts(db, { session, turn })) return;
  if (deleteRows(db, "turns", "turn", { session, last: turn }) > 0) return;
  if (turn === ALL_TURNS && deleteLines(db, session)) return;
  db.query("DELETE FROM trash WHERE session = $session").run({ session });
}

/**
 * Deletes the texts of trimmed turns while the turns are still there to name them. False: there are none
 * left.
 */
function deleteTexts(db: Database, turns: Pick<Trash, "session" | "turn">): boolean {
  const sql = removalStatements((text) => db.query(text));
  const rows = sql.removedTexts.all({ ...turns, limit: PIECE.texts });
  if (rows.length === 0) return false;
  removeTexts(sql, rows);
  wantRenewal(db);
  return true;
}

/** Deletes the lines of a deleted session. False: there are none left. */
function deleteLines(db: Database, session: number): boolean {
  const piece = `SELECT rowid FROM transcript_lines WHERE session = $session LIMIT ${PIECE.lines}`;
  return (
    db.query(`DELETE FROM transcript_lines WHERE rowid IN (${piece})`).run({ session }).changes > 0
  );
}

/** Deletes the oldest rows up to the last one that goes, at least one if there is any. */
function deleteRows(
  db: Database,
  table: "entries" | "turns",
  number: "seq" | "turn",
  range: { readonly session: number; readonly last: number },
): number {
  const rows = `FROM ${table} WHERE session = $session`;
  const first = db
    .query<{ number: number; total: number }, [{ session: number }]>(
      `SELECT ${number} AS number, total ${rows} ORDER BY ${number} LIMIT 1`,
    )
    .get({ session: range.session });
  if (first === null || first.number > range.last) return 0;
  const last = Math.min(first.number + PIECE.rows, range.last);
  const most = first.total + PIECE.bytes;
  return db
    .query(`DELETE ${rows} AND ${number} <= $last AND total <= $most`)
    .run({ session: range.session, last, most }).changes;
}

function shrinkPiece(db: Database): boolean {
  const free = db.query<{ freelist_count: number }, []>("PRAGMA freelist_count").get();
  if (free === null || free.freelist_count === 0) return false;
  db.run(`PRAGMA incremental_vacuum(${PIECE.pages})`);
  return true;
}
