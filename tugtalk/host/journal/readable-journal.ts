/** A journal whose disk or user may not write. */
import { constants, Database } from "bun:sqlite";
import { copyFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makePrivateFolder } from "../../src/base/private-folders.ts";
import { journalFailure } from "./database.ts";
import { isCurrent } from "./schema.ts";
import { type LocalJournal, openJournal, SqliteJournal } from "./sqlite-journal.ts";

/** Opens a journal that no host has open. Throws a `JournalError` if it cannot be read either. */
export function openReadableJournal(path: string): LocalJournal {
  try {
    return hasLog(path) ? openCopy(path) : openUnchanging(path);
  } catch (error) {
    throw journalFailure(error, path);
  }
}

/** Whether there is a log, which has the last writes of a killed host, and perhaps all of them. */
function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** SQLite reads a log only where it may write. */
function openCopy(path: string): LocalJournal {
  const folder = makePrivateFolder();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "journal.sqlite");
    copyFileSync(path, copy);
    if (hasLog(path)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    return openJournal(copy, { onClose: remove });
  } catch (error) {
    remove();
    throw error;
  }
}

function openUnchanging(path: string): LocalJournal {
  const { href } = pathToFileURL(path);
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  const db = new Database(`${href}?immutable=1`, flags);
  if (isCurrent(db)) return new SqliteJournal(db, path);
  db.close();
  // The tables of an older host are changed in the copy.
  return openCopy(path);
}
