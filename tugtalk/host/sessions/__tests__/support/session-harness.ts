/** Sessions on a journal in memory, with bridges that a test scripts. */
import { initialSession, reduceSession } from "../../../../client/reduce-session.ts";
import type { ReducedSession } from "../../../../client/reduced-session.ts";
import type { HostSession, HostSessions } from "../../../api/host-session.ts";
import type { Journal, JournalEntry } from "../../../journal/journal.ts";
import { openJournal } from "../../../journal/sqlite-journal.ts";
import { openSessions, type SessionsOptions } from "../../sessions.ts";
import { type Draft, FakeBridge, FIRST_PID } from "./fake-bridge.ts";

export const STARTED: readonly Draft[] = [
  { type: "process_started", pid: 7, args: [] },
  { type: "session_init", mode: "new" },
  { type: "session_state", state: "idle" },
];

export class SessionHarness {
  readonly journal: Journal;
  sessions: HostSessions;
  readonly bridges: FakeBridge[] = [];
  /** Of the next bridges. */
  lingerMs = 0;
  /** Until it resolves, no bridge is started. */
  opened: Promise<void> = Promise.resolve();
  closeBudgetMs = 8_000;
  now: () => number = Date.now;
  /** Sets up each bridge before it is sent anything. */
  prepare: (bridge: FakeBridge) => void = () => {};
  /** Waits for the bridge before. */
  oldBridgeGone: NonNullable<SessionsOptions["oldBridgeGone"]> = async () => {};
  /** What the next bridges say at their start. */
  start: readonly Draft[] = STARTED;

  constructor(journal = openJournal(":memory:")) {
    this.journal = journal;
    this.sessions = this.#open();
  }

  /** The bridge that was started last. */
  get bridge(): FakeBridge {
    const bridge = this.bridges.at(-1);
    if (bridge === undefined) throw new Error("no bridge was started");
    return bridge;
  }

  /** The host starts again on the same journal, as after a kill -9. */
  restart(): void {
    this.sessions = this.#open();
  }

  create(): Promise<HostSession> {
    return this.sessions.create({ dir: "/work", place: "local" });
  }

  #open(): HostSessions {
    return openSessions({
      journal: this.journal,
      closeBudgetMs: this.closeBudgetMs,
      now: () => this.now(),
      startBridge: async () => {
        await this.opened;
        const bridge = new FakeBridge(FIRST_PID + this.bridges.length, this.start);
        bridge.lingerMs = this.lingerMs;
        this.prepare(bridge);
        this.bridges.push(bridge);
        return bridge.bridge;
      },
      oldBridgeGone: (row, signal) => this.oldBridgeGone(row, signal),
    });
  }
}

/** Resolves when all that was said is in the journal. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
}

/** The whole journal of a session. */
export function entriesOf(session: HostSession): readonly JournalEntry[] {
  const read = session.entriesAfter(session.start(), Number.POSITIVE_INFINITY);
  if (read === "gap") throw new Error("the start of the journal is a gap");
  return read;
}

/** The state that a client reduces from the whole journal. */
export function reducedOf(session: HostSession): ReducedSession {
  return applied(initialSession, entriesOf(session));
}

export function applied(state: ReducedSession, entries: readonly JournalEntry[]): ReducedSession {
  return entries.reduce(
    (before, { epoch, seq, type, data }) =>
      reduceSession(before, { e: epoch, q: seq, t: type, d: JSON.parse(data) }),
    state,
  );
}

export function typesOf(entries: readonly JournalEntry[]): readonly string[] {
  return entries.map(({ type }) => type);
}
