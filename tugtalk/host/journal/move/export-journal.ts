/** Moves all of a journal in a database into a new file. */
import type { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SQL } from "bun";
import { openDatabase } from "../database.ts";
import { JournalError } from "../journal-error.ts";
import { tried } from "../postgres/postgres-reader.ts";
import { beginEpochs } from "../schema.ts";
import type { TimedText } from "../session-texts.ts";
import { prepareStatements } from "../statements.ts";
import { addTexts } from "../text-index.ts";
import { COSTS, type MovedRow, PARTS, SESSIONS, TEXTS, TRUST } from "./moved-tables.ts";
import { postgresRows } from "./postgres-rows.ts";
import { addSqliteRows } from "./sqlite-rows.ts";

export type Export = {
  readonly sql: SQL;
  /** The file gets this name once it is complete. */
  readonly file: string;
  /** The machine of this file. */
  readonly machine: string;
  /** The least epoch: clients begin anew. */
  readonly now: number;
};

/**
 * Gives the number of sessions. Rejects with a `JournalError` if a living host holds a session, or if the
 * file exists; then all sessions stay in the database.
 */
export async function exportJournal(wanted: Export): Promise<number> {
  const { file, sql } = wanted;
  refuseExisting(file);
  const unfinished = `${file}-unfinished`;
  let isWritten = false;
  try {
    return await tried(
      sql.begin(async (transaction) => {
        const sessions = await move({ ...wanted, sql: transaction }, unfinished);
        isWritten = true;
        return sessions;
      }),
    );
  } catch (error) {
    if (!isWritten) throw error;
    const message = `all sessions are in ${file}, and perhaps still in the database: list it`;
    throw new JournalError(message, { cause: error });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Until this ends, no host takes, makes or deletes a session. */
async function move(wanted: Export, unfinished: string): Promise<number> {
  const { sql, file } = wanted;
  await sql`LOCK TABLE sessions IN SHARE ROW EXCLUSIVE MODE`;
  await refuseHeld(sql);
  // A killed export leaves this file.
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const path = join(unfinished, "journal.sqlite");
  const sessions = await writeFile(wanted, path);
  for (const { name } of [TEXTS, COSTS, ...PARTS, SESSIONS])
    await sql.unsafe(`DELETE FROM ${name}`);
  await sql`DELETE FROM conversations`;
  await sql`DELETE FROM calls`;
  sync(path);
  refuseExisting(file);
  // SQLite would take this log for the new file's.
  rmSync(`${file}-wal`, { force: true });
  renameSync(path, file);
  sync(dirname(file));
  return sessions;
}

async function refuseHeld(sql: SQL): Promise<void> {
  const [held] = await sql<{ id: string; machine: string; pid: number }[]>`
    SELECT sessions.id, machine, pid FROM sessions JOIN hosts ON hosts.id = sessions.host
    WHERE gone_at > clock_timestamp() LIMIT 1`;
  if (held === undefined) return;
  const { id, machine, pid } = held;
  throw new JournalError(
    `the host on ${machine} (process ${pid}) has the session ${id}: end it first; nothing was moved`,
  );
}

function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new JournalError(
      `${file} exists already: nothing was moved; --data names another folder`,
    );
}

async function writeFile({ sql, machine, now }: Export, path: string): Promise<number> {
  const db = openDatabase(path);
  try {
    let sessions = 0;
    for await (const rows of postgresRows(sql, SESSIONS)) {
      addSqliteRows(db, SESSIONS, rows);
      sessions += rows.length;
    }
    for (const table of [...PARTS, COSTS])
      for await (const rows of postgresRows(sql, table)) addSqliteRows(db, table, rows);
    await writeTexts(sql, db);
    for await (const rows of postgresRows(sql, TRUST))
      addSqliteRows(
        db,
        TRUST,
        rows.map((row) => ofFile(row, machine)),
      );
    beginEpochs(db, now);
    return sessions;
  } finally {
    db.close();
  }
}

async function writeTexts(sql: SQL, db: Database): Promise<void> {
  const statements = prepareStatements(db);
  const add = db.transaction((rows: readonly TextRow[]) => {
    for (const { session, number: _, ...text } of rows) addTexts(statements, session, [text]);
  });
  const columns = { ...TEXTS.columns, at: "bigint" } as const;
  try {
    for await (const rows of postgresRows<TextRow>(sql, { ...TEXTS, columns })) add(rows);
  } finally {
    statements.finalize();
  }
}

type TextRow = TimedText & { readonly session: number; readonly number: number };

/** A file has no machine for the trust: it is of its own machine. */
function ofFile(row: MovedRow, machine: string): MovedRow {
  return row["place"] === `local@${machine}` ? { ...row, place: "local" } : row;
}

function sync(path: string): void {
  const fd = openSync(path, "r");
  fsyncSync(fd);
  closeSync(fd);
}
