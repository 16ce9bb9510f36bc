/** Writes to a journal whose disk is full. */
import { type Database, SQLiteError } from "bun:sqlite";
import { JournalError } from "./journal-error.ts";
import type { Reserve } from "./reserve.ts";

/**
 * Runs `work`, which deletes, or changes what is there. On a full disk again, with the room of the reserve,
 * and where that is not enough, in the file itself, without a log.
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
 * A process that is killed meanwhile may damage the file: what it takes back is in its memory. So it is
 * the last way.
 */
function runInPlace(db: Database, work: () => void): void {
  // Throws where the log cannot be taken over: then the disk has to be given room first.
  db.run("PRAGMA journal_mode = MEMORY");
  try {
    work();
  } finally {
    db.run("PRAGMA journal_mode = WAL");
  }
}

/** Takes out of the write-ahead log what was deleted. */
export function emptyLog(db: Database): void {
  try {
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // A disk without room. The log stays, which is read as the database is.
  }
}

/** Whether a disk, or the share of a user, takes no more. */
export function isFull(error: unknown): boolean {
  const cause = error instanceof JournalError ? error.cause : error;
  return cause instanceof SQLiteError && /^SQLITE_(FULL|IOERR_WRITE)/.test(cause.code ?? "");
}
