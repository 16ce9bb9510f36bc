/** `tugtalk host sessions`: lists, deletes, exports and backs up the sessions of a data folder. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { refuseArguments } from "../../src/base/flags.ts";
import { logLine } from "../api/host-log.ts";
import { jsonText } from "../export/export-session.ts";
import { JournalLockedError, JournalReadOnlyError } from "../journal/journal-error.ts";
import { openReadableJournal } from "../journal/readable-journal.ts";
import { openJournal } from "../journal/sqlite-journal.ts";
import { dataFolder, journalFile } from "../server/data-folder.ts";
import { databaseUrl } from "../server/database-flags.ts";
import { databaseSessions } from "./database-sessions.ts";
import { moveSessions } from "./move-sessions.ts";
import { runningHost, servedSessions } from "./served-sessions.ts";
import { sessionTable } from "./session-table.ts";
import {
  type ParsedSessionsFlags,
  parseSessionsFlags,
  SESSIONS_USAGE,
  type SessionsTask,
} from "./sessions-flags.ts";
import { journalSessions, type StoredSessions } from "./stored-sessions.ts";

/** Runs the arguments after `host sessions`. Sets the exit code: 1 for a failure, 2 for unknown arguments. */
export async function runSessions(words: readonly string[]): Promise<void> {
  const parsed = parseSessionsFlags(words, process.env, process.cwd());
  if ("problem" in parsed) return refuseArguments(parsed.problem, SESSIONS_USAGE);
  if ("help" in parsed) return console.log(SESSIONS_USAGE.trimEnd());
  try {
    await run(parsed);
  } catch (error) {
    if (isClosedPipe(error)) return;
    logLine(`tugtalk host sessions: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

async function run(parsed: Extract<ParsedSessionsFlags, { data: unknown }>): Promise<void> {
  const folder = dataFolder(parsed.data, process.env, process.cwd());
  if ("move" in parsed) {
    await Bun.write(Bun.stdout, await moveSessions(parsed.move, folder, parsed.database));
    return;
  }
  const { task, database } = parsed;
  const stored =
    database === undefined
      ? openStored(folder, task)
      : await databaseSessions(databaseUrl(database));
  try {
    for await (const piece of textsOf(stored, task)) await Bun.write(Bun.stdout, piece);
  } finally {
    await stored.close();
  }
}

/** Throws an error for people. Makes no file in the folder. */
function openStored(folder: string, { action }: SessionsTask): StoredSessions {
  const file = journalFile(folder);
  // The sessions of this host are in a database.
  if (!existsSync(file) && runningHost(folder) !== undefined) return servedSessions(folder);
  if (!existsSync(file))
    throw new Error(`no host has kept sessions in ${folder}; --data names another folder`);
  try {
    return journalSessions(openJournal(file));
  } catch (error) {
    if (error instanceof JournalLockedError) return servedSessions(folder);
    if (!(error instanceof JournalReadOnlyError)) throw error;
    // The running host alone can read its log, which has the latest commits.
    if (runningHost(folder) !== undefined) return servedSessions(folder);
    if (action === "delete") throw error;
    return journalSessions(openReadableJournal(file));
  }
}

async function* textsOf(stored: StoredSessions, task: SessionsTask): AsyncGenerator<string> {
  switch (task.action) {
    case "list":
      yield listText(await stored.list(), task.isJson);
      return;
    case "delete":
      await stored.delete(task.id);
      yield `deleted ${task.id}\n`;
      return;
    case "export":
      yield* await stored.export(task.id, task.format);
      return;
    case "backup": {
      const file = resolve(task.file);
      await stored.backUp(file);
      yield `wrote ${file}\n`;
    }
  }
}

function listText(sessions: Awaited<ReturnType<StoredSessions["list"]>>, isJson: boolean): string {
  if (isJson) return `${jsonText({ sessions })}\n`;
  return sessions.length === 0 ? "no sessions\n" : `${sessionTable(sessions, Date.now())}\n`;
}

/** Whether the reader of the output has ended, as `head` does. */
function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}
