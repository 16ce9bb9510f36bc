/** Pages of the transcript of a session: the latest turns from its state, the others from the journal. */
import { type EntryPage, entriesBefore, latestEntries } from "../../client/entry-pages.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { Journal } from "../journal/journal.ts";

/** At most `limit` entries before the one with this key; without a key the latest ones. */
export function turnsBefore(
  {
    id,
    state,
    journal,
  }: {
    readonly id: string;
    readonly state: ReducedSession;
    readonly journal: Pick<Journal, "turnsBefore">;
  },
  before: string | undefined,
  limit: number,
): EntryPage {
  if (before === undefined) return latestPage(state, limit);
  const [oldest] = [...state.entries, ...state.openEntries];
  if (before === oldest?.key) return journal.turnsBefore(id, undefined, limit);
  return entriesBefore(state, before, limit) ?? journal.turnsBefore(id, before, limit);
}

function latestPage(state: ReducedSession, limit: number): EntryPage {
  const { entries, openEntries, before } = latestEntries(state, limit);
  return { entries: [...entries, ...openEntries], ...(before !== undefined && { before }) };
}
