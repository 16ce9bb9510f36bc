/** Writes to a journal whose disk is full. */
import { type Database, SQLiteError } from "bun:sqlite";
import { JournalError } from "./journal-error.ts";
import type { Reserve } from "./reserve.ts";

/**
 * Runs `work`, which deletes or changes rows. If the disk is full, frees the reserve and runs it again. If
 * the room does not suffice, runs it in the file itself, without a log.
 */
export function withoutRoom(db: Database, reserve: Reserve | undefined, work: () => void): void {
  const hasRoom = (step: () => void) => {
    try {
      step();
      return true;
    } catch (error) {
      if (!isFull(error)) throw error;
      return false;
    }
  };
  if (hasRoom(work)) return;
  reserve?.spend();
  emptyLog(db);
  if (!hasRoom(work)) runInPlace(db, work);
}

/**
 * The last resort: a process that is killed meanwhile may damage the file, since only its memory has the
 * pages for an undo.
 */
function runInPlace(db: Database, work: () => void): void {
  // Throws if the log cannot be moved into the database: then people have to free room on the disk.
  db.run("PRAGMA journal_mode = MEMORY");
  try {
    work();
  } finally {
    db.run("PRAGMA journal_mode = WAL");
  }
}

/** Moves the write-ahead log into the database, and with it the deletions. */
export function emptyLog(db: Database): void {
  try {
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The disk has no room. The log stays, and SQLite reads it with the database.
  }
}

/** Whether a disk, or the share of a user, takes no more. */
export function isFull(error: unknown): boolean {
  const cause = error instanceof JournalError ? error.cause : error;
  return cause instanceof SQLiteError && /^SQLITE_(FULL|IOERR_WRITE)/.test(cause.code ?? "");
}
