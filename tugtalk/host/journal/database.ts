/** Makes, locks and closes the file of the journal. `schema.ts` makes its tables. */
import { Database, SQLiteError } from "bun:sqlite";
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { uptime } from "node:os";
import { dirname } from "node:path";
import { emptyLog, withoutRoom } from "./full-disk.ts";
import { JournalError, JournalLockedError, JournalReadOnlyError } from "./journal-error.ts";
import { Reserve } from "./reserve.ts";
import { beginEpochs, migrate } from "./schema.ts";

/** The path of a journal in memory. */
export const MEMORY = ":memory:";
/** The number that `PRAGMA auto_vacuum` gives for this mode. */
const INCREMENTAL = 2;

/** Most rows fit into one page. */
const PAGE_BYTES = 8192;
/** The write-ahead log shrinks again after a great commit. */
const PRAGMAS: readonly string[] = [
  "journal_mode = WAL",
  "synchronous = NORMAL",
  "journal_size_limit = 16777216",
  "secure_delete = ON",
];

/**
 * Opens the database at `path` for this process alone, and makes it where there is none, readable for its
 * owner only. The lock is the operating system's, so that a killed process does not leave it behind.
 */
export function openDatabase(path: string): Database {
  if (path !== MEMORY) makePrivate(path);
  const isSuspect = mayLackCommits(path);
  const db = new Database(path, { create: true, strict: true });
  try {
    // First, so that there is never a file of shared memory.
    db.run("PRAGMA locking_mode = EXCLUSIVE");
    // The statements after this one make the file.
    db.run(`PRAGMA page_size = ${PAGE_BYTES}`);
    vacuumInSteps(db);
    for (const pragma of PRAGMAS) db.run(`PRAGMA ${pragma}`);
    // The lock is taken by the first write, and kept from then on.
    db.run("BEGIN IMMEDIATE; COMMIT");
    const reserve = path === MEMORY ? undefined : new Reserve(path);
    withoutRoom(db, reserve, () => {
      migrate(db, path);
      if (isSuspect) beginEpochs(db, Date.now());
    });
    emptyLog(db);
    return db;
  } catch (error) {
    db.close();
    throw journalFailure(error, path);
  }
}

/** SQLite gives the files beside it the mode of the database. */
function makePrivate(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    throw isReadOnly(error) ? new JournalReadOnlyError(path, error) : error;
  }
}

function isReadOnly(error: unknown): error is Error {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EROFS" || code === "EACCES" || code === "EPERM";
}

/** Sets the mode only where the file does not have it: SQLite would write, and a full disk has no room. */
function vacuumInSteps(db: Database): void {
  const mode = db.query<{ auto_vacuum: number }, []>("PRAGMA auto_vacuum").get();
  if (mode?.auto_vacuum !== INCREMENTAL) db.run("PRAGMA auto_vacuum = INCREMENTAL");
}

/**
 * Whether the machine has restarted since the last commit of a host that did not close the journal. A power
 * failure may lose the latest commits, of which clients may have the entries.
 */
function mayLackCommits(path: string): boolean {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return log !== undefined && log.mtimeMs < Date.now() - uptime() * 1000;
}

/** A failure of the file in words for people; any other error as it is. */
export function journalFailure(error: unknown, path: string): unknown {
  const code = error instanceof SQLiteError ? (error.code ?? "") : "";
  const failure = FAILURES.find(({ codes }) => codes.test(code));
  if (failure === undefined || !(error instanceof Error)) return error;
  const text = `the journal ${path} ${failure.text}: ${error.message}`;
  return new failure.type(text, { cause: error });
}

const FAILURES = [
  { codes: /^SQLITE_BUSY/, type: JournalLockedError, text: "is open in another host" },
  {
    codes: /^SQLITE_(NOTADB|CORRUPT)/,
    type: JournalError,
    text: "is damaged (put a backup back, or move it away to begin a new one)",
  },
  {
    codes: /^SQLITE_FULL/,
    type: JournalError,
    text: "cannot be written (free some space, such as by tugtalk host sessions delete)",
  },
  { codes: /^SQLITE_(IOERR|READONLY)/, type: JournalError, text: "cannot be written" },
  { codes: /^SQLITE_(CANTOPEN|PERM|AUTH)/, type: JournalError, text: "cannot be opened" },
];
