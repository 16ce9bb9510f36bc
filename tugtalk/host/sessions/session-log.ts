/**
 * The journal of one session, and the state that follows from it. The state is bounded: old entries of
 * the transcript go to the journal, and the state itself leaves the memory while nobody needs it.
 */
import type { Fields } from "../../client/claude-value.ts";
import { latestEntries } from "../../client/entry-pages.ts";
import type { Cursor } from "../../client/host-api.ts";
import { initialSession, reduceSession } from "../../client/reduce-session.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type {
  Commit,
  Journal,
  JournalEntry,
  LoadedSession,
  SessionRow,
} from "../journal/journal.ts";
import type { Frame } from "../stream/frame.ts";

/** A message of the bridge or an event of the host, before it is in the journal. */
export type NewEntry = { readonly type: string; readonly data: Fields };

/** What is committed together with entries. */
export type Change = Omit<Commit, "entries" | "turns" | "snapshot">;

/** More finished entries of the transcript than this are not kept in memory. */
const MAX_ENTRIES = 100;
/** How many turns stay in memory when the others go, and how many a client gets at first. */
export const LATEST_TURNS = 50;
/** How many entries of the journal are read at most to load a session. */
const ENTRIES_PER_SNAPSHOT = 2_000;
const CHARS_PER_READ = 4 * 1024 * 1024;

export class SessionLog {
  readonly #journal: Journal;
  #row: SessionRow;
  #cursor: Cursor;
  #state: ReducedSession | undefined;
  /** How many entries follow the latest snapshot. */
  #sinceSnapshot = 0;
  readonly #listeners = new Set<(frames: readonly Frame[]) => void>();

  constructor(journal: Journal, loaded: Pick<LoadedSession, "row" | "cursor">) {
    this.#journal = journal;
    this.#row = loaded.row;
    this.#cursor = loaded.cursor;
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
  append(entries: readonly NewEntry[], change: Change = {}): void {
    const { state, row } = this;
    const encoded = entries.map(({ type, data }) => ({ type, data: JSON.stringify(data) }));
    const written = this.#journal.commit(row.id, { entries: encoded, ...change });
    this.#row = changedRow(row, change);
    this.#state = written.reduce((before, entry, index) => {
      const { epoch, seq, type } = entry;
      return reduceSession(before, { e: epoch, q: seq, t: type, d: entries[index]?.data });
    }, state);
    this.#sinceSnapshot += written.length;
    const { epoch } = this.#cursor;
    const last = written.at(-1) ?? this.#cursor;
    this.#cursor = { epoch: last.epoch, seq: last.seq };
    this.#bound(epoch !== last.epoch);
    this.#tell(written);
  }

  /** The end of the transcript is not in memory until it is needed again. */
  unload(): void {
    if (this.#state === undefined) return;
    if (this.#sinceSnapshot > 0) this.#keep(this.#state);
    this.#state = undefined;
  }

  listen(onFrames: (frames: readonly Frame[]) => void): () => void {
    // A function of its own, so that one that listens twice is called twice.
    const listener = (frames: readonly Frame[]) => onFrames(frames);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(written: readonly JournalEntry[]): void {
    if (written.length === 0) return;
    const frames = written.map(({ epoch, seq, type, data }) => ({
      session: this.#row.id,
      cursor: { epoch, seq },
      type,
      data,
    }));
    for (const listener of [...this.#listeners]) listener(frames);
  }

  #bound(isOtherEpoch: boolean): void {
    const { state } = this;
    const bounded = state.entries.length > MAX_ENTRIES ? latestEntries(state, LATEST_TURNS) : state;
    const gone = state.entries.slice(0, state.entries.length - bounded.entries.length);
    const isDue = this.#sinceSnapshot >= ENTRIES_PER_SNAPSHOT && !hasOpenTurn(bounded);
    if (gone.length > 0 || isDue || isOtherEpoch) this.#keep(bounded, gone);
  }

  #keep(state: ReducedSession, turns: ReducedSession["entries"] = []): void {
    this.#journal.commit(this.#row.id, { snapshot: state, ...(turns.length > 0 && { turns }) });
    this.#state = state;
    this.#sinceSnapshot = 0;
  }

  #load(): ReducedSession {
    const { id } = this.#row;
    const snapshot = this.#journal.load(id)?.snapshot;
    let state = snapshot?.state ?? initialSession;
    let cursor = snapshot?.cursor ?? this.#journal.start(id);
    for (;;) {
      const read = this.#journal.entriesAfter(id, cursor, CHARS_PER_READ);
      // What is left is all that is known.
      const entries = read === "gap" ? this.#entriesFromStart() : read;
      const last = entries.at(-1);
      if (last === undefined) return state;
      state = entries.reduce((before, entry) => reduceSession(before, inputOf(entry)), state);
      this.#sinceSnapshot += entries.length;
      cursor = last;
    }
  }

  #entriesFromStart(): readonly JournalEntry[] {
    const { id } = this.#row;
    const read = this.#journal.entriesAfter(id, this.#journal.start(id), CHARS_PER_READ);
    return read === "gap" ? [] : read;
  }
}

/** Whether a turn of the main conversation goes on. */
export function hasOpenTurn({ openEntries }: ReducedSession): boolean {
  return openEntries.some((entry) => entry.kind === "turn" && entry.status === "running");
}

function inputOf({ epoch, seq, type, data }: JournalEntry) {
  return { e: epoch, q: seq, t: type, d: JSON.parse(data) as unknown };
}

/** The row after a change. */
export function changedRow(
  row: SessionRow,
  { session, unset = [] }: Pick<Change, "session" | "unset">,
): SessionRow {
  const gone = new Set<string>(unset);
  const kept = Object.entries({ ...row, ...session }).filter(([name]) => !gone.has(name));
  // Only optional fields can be unset.
  return Object.fromEntries(kept) as SessionRow;
}
