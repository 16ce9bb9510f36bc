/** A copy of the journal, as it is after the last commit. */
import { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { journalFailure } from "./database.ts";
import { isFull } from "./full-disk.ts";
import { JournalError } from "./journal-error.ts";
import { beginEpochs } from "./schema.ts";

/**
 * Writes the copy to a new file that only its owner can read. The file gets its name once it is complete: a
 * killed process leaves a file with another name. A failure leaves no file. Throws a `JournalError`.
 */
export function backUp(db: Database, file: string, now: number): void {
  refuseExisting(file);
  const unfinished = `${file}-unfinished`;
  makeFile(unfinished, file);
  try {
    db.query("VACUUM INTO $unfinished").run({ unfinished });
    finish(unfinished, now);
    refuseExisting(file);
    renameSync(unfinished, file);
    sync(dirname(file));
  } catch (error) {
    removeCopy(unfinished);
    if (isFull(error)) throw new JournalError(`there is no room for ${file}`, { cause: error });
    throw journalFailure(error, file);
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new JournalError(`${file} cannot be written: it exists already`);
}

/** SQLite takes an empty file with the mode that it has. */
function makeFile(unfinished: string, file: string): void {
  try {
    removeCopy(unfinished);
    closeSync(openSync(unfinished, "wx", 0o600));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JournalError(`${file} cannot be written: ${reason}`, { cause: error });
  }
}

/** Deletes the copy and the log that SQLite keeps beside it, which would change the next copy. */
function removeCopy(file: string): void {
  for (const path of [file, `${file}-journal`]) rmSync(path, { force: true });
}

/** Gives the copy new epochs. Clients that have entries from after the backup begin anew with the copy. */
function finish(file: string, now: number): void {
  const copy = new Database(file);
  try {
    beginEpochs(copy, now);
  } finally {
    copy.close();
  }
  sync(file);
}

function sync(path: string): void {
  const fd = openSync(path, "r");
  fsyncSync(fd);
  closeSync(fd);
}
