/** The state of a session from its journal: its snapshot, and the entries after it. */
import type { Cursor } from "../../client/host-api.ts";
import { initialSession, reduceSession } from "../../client/reduce-session.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { Journal, JournalEntry } from "../journal/journal.ts";

const CHARS_PER_READ = 4 * 1024 * 1024;

export type LoadedState = {
  readonly state: ReducedSession;
  /** The number of entries after the snapshot. */
  readonly entries: number;
  /** The cursor of the last of these entries, or of the snapshot. */
  readonly cursor: Cursor;
};

/** Loads the state of a session. Throws if the session does not exist. */
export async function loadState(
  journal: Pick<Journal, "snapshot" | "range" | "entriesAfter">,
  id: string,
): Promise<LoadedState> {
  const snapshot = await journal.snapshot(id);
  let state = snapshot === undefined ? initialSession : currentState(snapshot.state);
  let cursor = snapshot?.cursor ?? (await journal.range(id)).start;
  for (let entries = 0; ; ) {
    const read = await journal.entriesAfter(id, cursor, CHARS_PER_READ);
    const last = read === "gap" ? undefined : read.at(-1);
    if (read === "gap" || last === undefined) return { state, entries, cursor };
    state = read.reduce((before, entry) => reduceSession(before, inputOf(entry)), state);
    entries += read.length;
    cursor = { epoch: last.epoch, seq: last.seq };
  }
}

/** Completes a snapshot of an older host, which lacks parts, and has the ids of closed prompts alone. */
function currentState(state: ReducedSession): ReducedSession {
  const whole = { ...initialSession, ...state };
  return { ...whole, closedPrompts: whole.closedPrompts.filter((end) => typeof end === "object") };
}

function inputOf({ epoch, seq, type, data }: JournalEntry) {
  return { e: epoch, q: seq, t: type, d: JSON.parse(data) as unknown };
}
