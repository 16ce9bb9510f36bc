/** A session by its journal: the whole session, or the readable part of a damaged one. */
import type { SessionInfo } from "../../client/host-api.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { ReadableSession } from "../api/host-session.ts";
import type { Journal } from "../journal/journal.ts";
import { DamagedSessionError } from "../journal/journal-error.ts";
import { loadState } from "./loaded-state.ts";

type SessionJournal = Pick<Journal, "snapshot" | "range" | "entriesAfter" | "turnsBefore">;

export async function journalSession(
  journal: SessionJournal,
  info: SessionInfo,
): Promise<ReadableSession> {
  try {
    return await wholeSession(journal, info);
  } catch (error) {
    if (error instanceof DamagedSessionError) return salvagedSession(journal, info);
    throw error;
  }
}

async function wholeSession(journal: SessionJournal, info: SessionInfo): Promise<ReadableSession> {
  const { state } = await loadState(journal, info.id);
  const { before: first } = state;
  return {
    info: () => info,
    snapshot: () => snapshotOf(journal, info.id, state),
    turns: (before, limit) =>
      journal.turnsBefore(info.id, before === first ? undefined : before, limit),
  };
}

/** The cursor before which all turns are that have left the state. */
const ALL_TURNS = "";

async function salvagedSession(
  journal: SessionJournal,
  info: SessionInfo,
): Promise<ReadableSession> {
  const { id } = info;
  const readable = salvaged(journal);
  const { state } = await loadState(readable, id);
  const known = new Set(state.entries.map(({ key }) => key));
  return {
    info: () => info,
    snapshot: () => snapshotOf(journal, id, { ...state, before: ALL_TURNS }),
    turns: async (before, limit) => {
      const cursor = before === ALL_TURNS ? undefined : before;
      const page = await readable.turnsBefore(id, cursor, limit);
      return { ...page, entries: page.entries.filter(({ key }) => !known.has(key)) };
    },
  };
}

/** The session without its snapshot, from all kept entries that can be read. */
function salvaged(journal: SessionJournal): SessionJournal {
  let isWhole = true;
  return {
    snapshot: async () => undefined,
    range: (id) => journal.range(id),
    entriesAfter: async (id, after, maxChars) => {
      if (isWhole) {
        const entries = await readOr(undefined, journal.entriesAfter(id, after, maxChars));
        if (entries !== undefined) return entries;
        isWhole = false;
      }
      // Reads one entry after the other, up to the first unreadable one.
      return readOr([], journal.entriesAfter(id, after, 1));
    },
    turnsBefore: (id, key, limit) => readOr({ entries: [] }, journal.turnsBefore(id, key, limit)),
  };
}

async function readOr<Value, Other>(other: Other, read: Promise<Value>): Promise<Value | Other> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof DamagedSessionError) return other;
    throw error;
  }
}

async function snapshotOf(journal: SessionJournal, id: string, state: ReducedSession) {
  const { before } = state;
  return {
    cursor: (await journal.range(id)).start,
    state,
    ...(before !== undefined && { before }),
  };
}
