/** The lock on a data folder, for one host at a time. */
import { Database, SQLiteError } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Another host has the data folder. */
export class FolderLockedError extends Error {
  override readonly name = "FolderLockedError";
}

/**
 * Keeps other hosts away from the folder until the returned function is called. The lock is the operating
 * system's, so that a killed process does not leave it behind. Throws a `FolderLockedError`.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "lock");
  writeFileSync(file, "", { mode: 0o600, flag: "a" });
  const db = new Database(file);
  try {
    // Writes nothing, since the disk may be full.
    db.run("PRAGMA journal_mode = MEMORY");
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    const isLocked = error instanceof SQLiteError && error.code === "SQLITE_BUSY";
    throw isLocked ? new FolderLockedError(error.message, { cause: error }) : error;
  }
  return () => db.close();
}
