/**
 * The journal of one session, and the state that follows from it. The state is bounded: old entries of
 * the transcript go to the journal, and the state itself leaves the memory while nobody needs it.
 */
import { latestEntries } from "../../client/entry-pages.ts";
import type { Cursor } from "../../client/host-api.ts";
import { reduceSession } from "../../client/reduce-session.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import { entryFrame, type Frame } from "../api/frame.ts";
import type {
  Commit,
  Journal,
  JournalEntry,
  LoadedSession,
  SessionRow,
  SessionSummary,
} from "../journal/journal.ts";
import { JournalError } from "../journal/journal-error.ts";
import { changedRow } from "../journal/rows.ts";
import { Listeners } from "./listeners.ts";
import { loadState } from "./loaded-state.ts";
import type { Change, NewEntry } from "./session-change.ts";
import { isSameSummary, lastErrorAfter, summaryOf } from "./session-summary.ts";

export type SessionLogPorts = {
  readonly journal: Journal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly counts: () => Pick<SessionSummary, "pending" | "queued">;
  /** What a list shows of the session may have changed. */
  readonly onRow: (row: SessionRow) => void;
  /** For the host itself, besides those who listen. */
  readonly onFrames: (frames: readonly Frame[]) => void;
};

/** More finished entries of the transcript than this are not kept in memory. */
const MAX_ENTRIES = 100;
/** How many turns stay in memory when the others go, and how many a client gets at first. */
export const LATEST_TURNS = 50;
/** How many entries of the journal are read at most to load a session. */
const ENTRIES_PER_SNAPSHOT = 2_000;
/** The same within a turn, whose state may be large. Without it a turn without an end could not be trimmed. */
const ENTRIES_PER_SNAPSHOT_IN_TURN = 20_000;

export class SessionLog {
  readonly #ports: SessionLogPorts;
  readonly #listeners = new Listeners<readonly Frame[]>();
  #row: SessionRow;
  #cursor: Cursor;
  #state: ReducedSession | undefined;
  /** How many entries follow the latest snapshot. */
  #sinceSnapshot = 0;
  #isLeaving = false;

  constructor(ports: SessionLogPorts, { row, cursor }: Pick<LoadedSession, "row" | "cursor">) {
    this.#ports = ports;
    this.#row = row;
    this.#cursor = cursor;
  }

  get row(): SessionRow {
    return this.#row;
  }

  get cursor(): Cursor {
    return this.#cursor;
  }

  get state(): ReducedSession {
    this.#state ??= this.#load();
    return this.#state;
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** Writes entries and whatever changes with them at once; then the state follows, then the listeners. */
  append(entries: readonly NewEntry[], wanted: Change = {}): void {
    const { state, row } = this;
    const change = this.#withCounts(wanted);
    const encoded = entries.map(({ type, data }) => ({ type, data: JSON.stringify(data) }));
    const written = this.#commit({ entries: encoded, ...change });
    this.#row = changedRow(row, change);
    this.#state = written.reduce((before, { epoch, seq, type }, index) => {
      return reduceSession(before, { e: epoch, q: seq, t: type, d: entries[index]?.data });
    }, state);
    this.#sinceSnapshot += written.length;
    const { epoch, seq } = written.at(-1) ?? this.#cursor;
    this.#cursor = { epoch, seq };
    this.#bound();
    this.#tell(written);
    this.#summarize(entries);
  }

  /** The state leaves the memory until it is needed again, unless the disk does not take it. */
  unload(): void {
    try {
      if (this.#state !== undefined && this.#sinceSnapshot > 0) this.#keep(this.#state);
      this.#state = undefined;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
    }
  }

  /** The session is to be deleted: what a full disk does not take of it is of no use any more. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Calls back with the frames of each commit from now on. Gives the way to stop it. */
  listen(onFrames: (frames: readonly Frame[]) => void): () => void {
    return this.#listeners.add(onFrames);
  }

  /** The journal of the session is deleted. Tells the listeners by this frame. */
  forget(deleted: Frame): void {
    // The state is not written when it leaves the memory.
    this.#sinceSnapshot = 0;
    this.#listeners.tell([deleted]);
  }

  /** In the same commit, since a host that was killed finds by the counts what it has left open. */
  #withCounts(change: Change): Change {
    const { summary } = this.#row;
    const counts = this.#ports.counts();
    if (counts.pending === summary.pending && counts.queued === summary.queued) return change;
    const counted = { summary: { ...summary, ...counts }, updatedAt: this.#ports.now() };
    return { ...change, session: { ...change.session, ...counted } };
  }

  #bound(): void {
    const { state } = this;
    const bounded = state.entries.length > MAX_ENTRIES ? latestEntries(state, LATEST_TURNS) : state;
    const gone = state.entries.slice(0, state.entries.length - bounded.entries.length);
    const isDue =
      this.#sinceSnapshot >=
      (hasOpenTurn(bounded) ? ENTRIES_PER_SNAPSHOT_IN_TURN : ENTRIES_PER_SNAPSHOT);
    if (gone.length > 0 || isDue) this.#keep(bounded, gone);
  }

  #keep(state: ReducedSession, turns: ReducedSession["entries"] = []): void {
    this.#commit({ snapshot: state, ...(turns.length > 0 && { turns }) });
    this.#state = state;
    this.#sinceSnapshot = 0;
  }

  #tell(written: readonly JournalEntry[]): void {
    if (written.length === 0) return;
    const frames = written.map((entry) => entryFrame(this.#row.id, entry));
    this.#ports.onFrames(frames);
    this.#listeners.tell(frames);
  }

  #summarize(entries: readonly NewEntry[]): void {
    const { now, counts, onRow } = this.#ports;
    const { inFlight, summary: before } = this.#row;
    const lastError = entries.reduce(lastErrorAfter, before.lastError);
    const known = { ...(inFlight && { inFlight }), ...(lastError !== undefined && { lastError }) };
    const summary = summaryOf(this.state, counts(), known);
    if (!isSameSummary(summary, before)) {
      const session = { summary, updatedAt: now() };
      this.#commit({ session });
      this.#row = changedRow(this.#row, { session });
    }
    onRow(this.#row);
  }

  #commit(change: Commit): readonly JournalEntry[] {
    try {
      return this.#ports.journal.commit(this.#row.id, change);
    } catch (error) {
      if (this.#isLeaving && error instanceof JournalError) return [];
      throw error;
    }
  }

  #load(): ReducedSession {
    const { state, entries } = loadState(this.#ports.journal, this.#row.id);
    this.#sinceSnapshot = entries;
    return state;
  }
}

/** Whether a turn of the main conversation goes on. */
export function hasOpenTurn({ openEntries }: ReducedSession): boolean {
  return openEntries.some((entry) => entry.kind === "turn" && entry.status === "running");
}
