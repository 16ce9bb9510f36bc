/**
 * The turns of a session that are kept in memory: the latest. The others are in the journal. Pure but for
 * reads.
 */
import { type EntryPage, entriesBefore, latestEntries } from "../../client/entry-pages.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { Commit, Journal } from "../journal/journal.ts";
import { hasOpenTurn, type SessionState } from "./session-state.ts";

/** The most finished entries of the transcript in memory. */
const MAX_ENTRIES = 100;
/** The number of turns that stay in memory after a cut, and that a client gets first. */
export const LATEST_TURNS = 50;
/** The most entries of the journal that are read to load a session. */
const ENTRIES_PER_SNAPSHOT = 2_000;
/**
 * The most within a turn, whose state may be large. Without this limit an endless turn could not be trimmed.
 */
const ENTRIES_PER_SNAPSHOT_IN_TURN = 20_000;

type Bounded = { readonly state: SessionState } & Pick<Commit, "snapshot" | "turns">;

/**
 * The state without its oldest turns if there are too many, with the snapshot and the turns for the journal.
 */
export function bounded(state: SessionState): Bounded {
  const { reduced, sinceSnapshot } = state;
  const kept =
    reduced.entries.length > MAX_ENTRIES ? latestEntries(reduced, LATEST_TURNS) : reduced;
  const turns = reduced.entries.slice(0, reduced.entries.length - kept.entries.length);
  const limit = hasOpenTurn(kept) ? ENTRIES_PER_SNAPSHOT_IN_TURN : ENTRIES_PER_SNAPSHOT;
  if (turns.length === 0 && sinceSnapshot < limit) return { state };
  return { state: { ...state, reduced: kept, sinceSnapshot: 0 }, snapshot: kept, turns };
}

/** At most `limit` entries before the one with this key; without a key the latest ones. */
export async function turnsBefore(
  {
    id,
    reduced,
    journal,
  }: {
    readonly id: string;
    readonly reduced: ReducedSession;
    readonly journal: Pick<Journal, "turnsBefore">;
  },
  before: string | undefined,
  limit: number,
): Promise<EntryPage> {
  if (before === undefined) return latestPage(reduced, limit);
  const [oldest] = [...reduced.entries, ...reduced.openEntries];
  if (before === oldest?.key) return journal.turnsBefore(id, undefined, limit);
  return entriesBefore(reduced, before, limit) ?? journal.turnsBefore(id, before, limit);
}

function latestPage(reduced: ReducedSession, limit: number): EntryPage {
  const { entries, openEntries, before } = latestEntries(reduced, limit);
  return { entries: [...entries, ...openEntries], ...(before !== undefined && { before }) };
}
