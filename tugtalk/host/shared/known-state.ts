/** The state of a session from the journal alone. */
import { unknownSession } from "../api/api-error.ts";
import type { Journal } from "../journal/journal.ts";
import { loadState } from "../sessions/loaded-state.ts";
import type { KnownState } from "../sessions/session-reads.ts";

export async function knownState(journal: Journal, id: string): Promise<KnownState> {
  const loaded = await journal.load(id);
  if (loaded === undefined) throw unknownSession();
  // The holder goes on writing, so the cursor has to come with the state.
  const { state: reduced, cursor } = await loadState(journal, id);
  return { reduced, cursor, attachments: loaded.attachments };
}
