/** The kept sessions of a journal that no host has open. */

import type { SessionInfo } from "../../client/host-api.ts";
import { exportPieces } from "../export/export-session.ts";
import type { LocalJournal } from "../journal/sqlite-journal.ts";
import { journalSession } from "../sessions/journal-session.ts";
import { sessionInfo } from "../sessions/session-summary.ts";
import { type StoredSessions, withSizes } from "./stored-sessions.ts";

export function journalSessions(journal: LocalJournal): StoredSessions {
  return {
    list: async () => withSizes(journal.sessions().map(sessionInfo), journal.sizes()),
    delete: async (id) => {
      infoOf(journal, id);
      journal.delete(id);
      journal.sweep();
    },
    export: async (id, format) =>
      exportPieces(journalSession(journal, infoOf(journal, id)), format),
    backUp: async (file) => journal.backUp(file),
    close: () => journal.close(),
  };
}

function infoOf(journal: LocalJournal, id: string): SessionInfo {
  const row = journal.sessions().find((one) => one.id === id);
  if (row === undefined) throw new Error("there is no such session");
  return sessionInfo(row);
}
