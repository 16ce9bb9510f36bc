/** A copy of the journal, as it is after the last commit. */
import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { journalFailure } from "./database.ts";
import { isFull } from "./full-disk.ts";
import { JournalError } from "./journal-error.ts";
import { beginEpochs } from "./schema.ts";

/**
 * Writes it to a new file, readable for its owner only. Nothing is left of it where that fails. Throws a
 * `JournalError`.
 */
export function backUp(db: Database, file: string, now: number): void {
  makeFile(file);
  try {
    db.query("VACUUM INTO $file").run({ file });
    finish(file, now);
  } catch (error) {
    rmSync(file, { force: true });
    if (isFull(error)) throw new JournalError(`there is no room for ${file}`, { cause: error });
    throw journalFailure(error, file);
  }
}

/** SQLite takes an empty file with the mode that it has. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JournalError(`${file} cannot be written: ${reason}`, { cause: error });
  }
}

/** Once it is put back, clients that know what came after the backup begin anew. */
function finish(file: string, now: number): void {
  const copy = new Database(file);
  try {
    beginEpochs(copy, now);
  } finally {
    copy.close();
  }
  for (const path of [file, dirname(file)]) sync(path);
}

function sync(path: string): void {
  const fd = openSync(path, "r");
  fsyncSync(fd);
  closeSync(fd);
}
