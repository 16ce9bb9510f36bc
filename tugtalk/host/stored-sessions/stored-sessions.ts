/**
 * The sessions of a data folder, for users without an open page: in the journal, or at the host that has it.
 */
import type { SessionInfo } from "../../client/host-api.ts";
import { type ExportFormat, exportPieces } from "../export/export-session.ts";
import type { Journal, SessionSize } from "../journal/journal.ts";
import type { LocalJournal } from "../journal/sqlite-journal.ts";
import { journalSession } from "../sessions/journal-session.ts";
import { sessionInfo } from "../sessions/session-summary.ts";

export type StoredSession = SessionInfo & Pick<SessionSize, "bytes" | "entries">;

/** All methods reject with an error for people. */
export type StoredSessions = {
  /** The latest change first. */
  list(): Promise<readonly StoredSession[]>;
  delete(id: string): Promise<void>;
  /** The text of a session in pieces. */
  export(id: string, format: ExportFormat): Promise<AsyncIterable<string> | Iterable<string>>;
  /** Writes all sessions to a new file, whose path is absolute. */
  backUp(file: string): Promise<void>;
  close(): void | Promise<void>;
};

/** The sessions with the size of each. */
export function withSizes(
  sessions: readonly SessionInfo[],
  sizes: readonly SessionSize[],
): readonly StoredSession[] {
  const known = new Map(sizes.map((size) => [size.id, size]));
  return sessions
    .map((session) => ({ ...session, bytes: 0, entries: 0, ...known.get(session.id) }))
    .sort((one, other) => other.updated_at - one.updated_at);
}

/** The sessions of a journal that no host has open. */
export function journalSessions(journal: LocalJournal): StoredSessions {
  return {
    ...readSessions(journal),
    delete: async (id) => {
      await infoOf(journal, id);
      await journal.delete(id);
      journal.sweep();
    },
    close: () => journal.close(),
  };
}

/** The sessions of a journal in any place, for reading only. */
export function readSessions(journal: Journal): Pick<StoredSessions, "list" | "export" | "backUp"> {
  return {
    list: async () => withSizes((await journal.sessions()).map(sessionInfo), await journal.sizes()),
    export: async (id, format) =>
      exportPieces(await journalSession(journal, await infoOf(journal, id)), format),
    backUp: (file) => journal.backUp(file),
  };
}

export async function infoOf(journal: Journal, id: string): Promise<SessionInfo> {
  const row = (await journal.sessions()).find((one) => one.id === id);
  if (row === undefined) throw new Error("there is no such session");
  return sessionInfo(row);
}
