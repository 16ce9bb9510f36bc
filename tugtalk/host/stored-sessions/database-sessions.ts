/** The sessions in a shared database, with or without a running host. */
import { randomUUID } from "node:crypto";
import { connect } from "../journal/postgres/connection.ts";
import { PostgresJournal } from "../journal/postgres/postgres-journal.ts";
import { infoOf, readSessions, type StoredSessions } from "./stored-sessions.ts";

/** Rejects with an error for people. */
export async function databaseSessions(url: string): Promise<StoredSessions> {
  const sql = await connect(url);
  const id = randomUUID();
  const journal = new PostgresJournal({ sql }, { hostId: () => id });
  return {
    ...readSessions(journal),
    delete: (session) => deleteOne(journal, session),
    close: () => sql.close(),
  };
}

/** Takes the session first, since no host may have it. */
async function deleteOne(journal: PostgresJournal, id: string): Promise<void> {
  await infoOf(journal, id);
  if ((await journal.take(id)) === undefined) throw new Error(await whoHas(journal, id));
  await journal.delete(id);
}

async function whoHas(journal: PostgresJournal, id: string): Promise<string> {
  const [holder] = await journal.query<{ machine: string; pid: number }>(
    "SELECT machine, pid FROM sessions JOIN hosts ON hosts.id = sessions.host WHERE sessions.id = $1",
    [id],
  );
  if (holder === undefined) return "the session changes hosts: try again";
  const { machine, pid } = holder;
  return `the host on ${machine} (process ${pid}) has the session: delete it there, or end that host first`;
}
