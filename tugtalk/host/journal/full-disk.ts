/** Deletes from a journal whose disk is full. */
import type { Database } from "bun:sqlite";
import { emptyLog, isFull } from "./database.ts";
import type { Reserve } from "./reserve.ts";

/**
 * Runs `work`, which only deletes. On a full disk again, with the room of the reserve, and where that is
 * not enough, in the file itself, without a log.
 */
export function deleteFrom(db: Database, reserve: Reserve | undefined, work: () => void): void {
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
  if (!hasRoom(work)) deleteInPlace(db, work);
}

/**
 * A process that is killed meanwhile may damage the file: what it takes back is in its memory. So it is
 * the last way.
 */
function deleteInPlace(db: Database, work: () => void): void {
  // Throws where the log cannot be taken over: then the disk has to be given room first.
  db.run("PRAGMA journal_mode = MEMORY");
  try {
    work();
  } finally {
    db.run("PRAGMA journal_mode = WAL");
  }
}
