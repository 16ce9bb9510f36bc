/** Moves all sessions between a data folder and a database. */
import { existsSync, renameSync } from "node:fs";
import { openDatabase } from "../journal/database.ts";
import { emptyLog } from "../journal/full-disk.ts";
import { exportJournal } from "../journal/move/export-journal.ts";
import { importJournal } from "../journal/move/import-journal.ts";
import { ROWS } from "../journal/postgres/bell-names.ts";
import { notify } from "../journal/postgres/bells.ts";
import { connect } from "../journal/postgres/connection.ts";
import { SqliteJournal } from "../journal/sqlite-journal.ts";
import { journalFile, openDataFolder } from "../server/data-folder.ts";
import { type DatabaseFlags, databaseUrl } from "../server/database-flags.ts";
import { isLeftOpen } from "../sessions/recovery.ts";
import { Sessions } from "../sessions/sessions.ts";
import { goesOnAt } from "../sessions/usage-limit.ts";
import type { Move } from "./sessions-flags.ts";

/** Moves the sessions, and gives a report. Rejects with an error for people; then no session has moved. */
export async function moveSessions(
  move: Move,
  folder: string,
  database: DatabaseFlags,
): Promise<string> {
  const file = journalFile(folder);
  if (move === "import" && !existsSync(file))
    throw new Error(`no host has kept sessions in ${folder}; --data names another folder`);
  const { machine } = database;
  const sql = await connect(databaseUrl(database));
  try {
    if (move === "import") return await importFile(file, { sql, machine });
    openDataFolder(folder);
    const count = await exportJournal({ sql, file, machine, now: Date.now() });
    return `moved ${sessionsOf(count)} into ${file}\n`;
  } finally {
    await sql.close();
  }
}

function sessionsOf(count: number): string {
  return count === 1 ? "1 session" : `${count} sessions`;
}

type Target = Pick<Parameters<typeof importJournal>[0], "sql" | "machine">;

/** Renames the file, so that no host continues with the sessions that are in the database. */
async function importFile(file: string, target: Target): Promise<string> {
  const db = openDatabase(file);
  const journal = new SqliteJournal(db, file);
  try {
    await indexStates(journal);
    journal.sweep();
    const now = Date.now();
    const isUrgent = (row: Parameters<typeof isLeftOpen>[0]) =>
      isLeftOpen(row) || goesOnAt(row) !== undefined;
    const count = await importJournal({ ...target, db, now, isUrgent });
    await notify(target.sql, ROWS).catch(() => {
      // The hosts look by themselves, only later.
    });
    emptyLog(db);
    const kept = `${file}-moved-${now}`;
    renameSync(file, kept);
    // SQLite leaves its log behind if the file is not in its place any more.
    if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${kept}-wal`);
    return `moved ${sessionsOf(count)} into the database; ${kept} is the journal as it was\n`;
  } finally {
    journal.close();
  }
}

/** Indexes the states of sessions from a host without an index. Starts no Claude for them. */
async function indexStates(journal: SqliteJournal): Promise<void> {
  const startBridge = async () => {
    throw new Error("sessions that are moved start no Claude");
  };
  await new Sessions({ journal, startBridge }, await journal.sessions()).index();
}
