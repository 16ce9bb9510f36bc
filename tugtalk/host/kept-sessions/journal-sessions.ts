/** The kept sessions of a journal that no host has open. */

import { exportPieces } from "../export/export-session.ts";
import type { ExportSource } from "../export/exported-entries.ts";
import type { LoadedSession } from "../journal/journal.ts";
import type { LocalJournal } from "../journal/sqlite-journal.ts";
import { loadState } from "../sessions/loaded-state.ts";
import { sessionInfo } from "../sessions/session-summary.ts";
import { type KeptSessions, withSizes } from "./kept-sessions.ts";

export function journalSessions(journal: LocalJournal): KeptSessions {
  return {
    list: async () => withSizes(journal.sessions().map(sessionInfo), journal.sizes()),
    delete: async (id) => {
      loaded(journal, id);
      journal.delete(id);
      journal.sweep();
    },
    export: async (id, format) => exportPieces(sourceOf(journal, loaded(journal, id)), format),
    backUp: async (file) => journal.backUp(file),
    close: () => journal.close(),
  };
}

function loaded(journal: LocalJournal, id: string): LoadedSession {
  const found = journal.load(id);
  if (found === undefined) throw new Error("there is no such session");
  return found;
}

function sourceOf(journal: LocalJournal, session: LoadedSession): ExportSource {
  const { state } = loadState(journal, session.row.id);
  const { before: first } = state;
  return {
    info: () => sessionInfo(session.row),
    snapshot: () => ({
      cursor: session.cursor,
      state,
      ...(first !== undefined && { before: first }),
    }),
    turns: (before, limit) =>
      journal.turnsBefore(session.row.id, before === first ? undefined : before, limit),
  };
}
