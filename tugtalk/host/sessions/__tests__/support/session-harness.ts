/** Sessions on a journal in memory, with bridges that a test scripts. */

import { initialSession, reduceSession } from "../../../../client/reduce-session.ts";
import type { ReducedSession } from "../../../../client/reduced-session.ts";
import { presentUptime } from "../../../../src/base/uptime.ts";
import type { HostSession, HostSessions, NewSession } from "../../../api/host-session.ts";
import type { BridgeEnd } from "../../../bridges/bridge.ts";
import type { Journal, JournalEntry } from "../../../journal/journal.ts";
import { openJournal } from "../../../journal/sqlite-journal.ts";
import { openSessions } from "../../sessions.ts";
import type { SessionsOptions } from "../../sessions-options.ts";
import { status, turnStarted } from "./bridge-words.ts";
import { type Draft, FakeBridge, FIRST_PID } from "./fake-bridge.ts";

export const STARTED: readonly Draft[] = [
  { type: "process_started", pid: 7, args: [] },
  { type: "session_init", mode: "new" },
  { type: "session_state", state: "idle" },
];

export class SessionHarness {
  readonly journal: Journal;
  #sessions: HostSessions | undefined;
  readonly bridges: FakeBridge[] = [];
  /** The place of each start. */
  readonly places: string[] = [];
  /** The value for the next bridges. */
  lingerMs = 0;
  /** Until it resolves, no bridge is started. */
  opened: Promise<void> = Promise.resolve();
  closeBudgetMs = 8_000;
  now: () => number = Date.now;
  uptime: typeof presentUptime = presentUptime;
  /** The functions that wait for their time. */
  readonly #scheduled = new Set<() => void>();
  /** Sets up each bridge before its first message. */
  prepare: (bridge: FakeBridge) => void = () => {};
  /** Waits until the old bridge is gone. */
  oldBridgeGone: NonNullable<SessionsOptions["oldBridgeGone"]> = async () => {};
  /** The messages of the next bridges at their start. */
  start: readonly Draft[] = STARTED;

  private constructor(journal: Journal) {
    this.journal = journal;
  }

  static async open(journal: Journal = openJournal(":memory:")): Promise<SessionHarness> {
    const harness = new SessionHarness(journal);
    await harness.restart();
    return harness;
  }

  get sessions(): HostSessions {
    if (this.#sessions === undefined) throw new Error("the host is not open");
    return this.#sessions;
  }

  /** The latest bridge. */
  get bridge(): FakeBridge {
    const bridge = this.bridges.at(-1);
    if (bridge === undefined) throw new Error("no bridge was started");
    return bridge;
  }

  /** Starts the host again on the same journal, as after a kill -9. */
  async restart(): Promise<void> {
    this.#scheduled.clear();
    this.#sessions = await this.#open();
  }

  create(wanted: Partial<NewSession> = {}): Promise<HostSession> {
    return this.sessions.create({ dir: "/work", place: "local", ...wanted });
  }

  /** The bridge sends these messages in one tick. Resolves when all of them are in the journal. */
  async say(...messages: readonly Draft[]): Promise<void> {
    this.bridge.say(...messages);
    // Nobody reads an ended bridge.
    while (this.bridge.unread > 0 && !this.bridge.isEnded) await settled();
    await settled();
  }

  /** Ends the bridge. Resolves when the effects are in the journal. */
  async endBridge(end?: BridgeEnd): Promise<void> {
    this.bridge.end(end);
    await settled();
  }

  /** Sets the clock, and calls the functions that wait for a time. */
  async at(now: number): Promise<void> {
    this.now = () => now;
    const due = [...this.#scheduled];
    this.#scheduled.clear();
    for (const run of due) run();
    await settled();
  }

  #open(): Promise<HostSessions> {
    return openSessions({
      journal: this.journal,
      closeBudgetMs: this.closeBudgetMs,
      now: () => this.now(),
      uptime: () => this.uptime(),
      schedule: (run) => {
        this.#scheduled.add(run);
        return () => this.#scheduled.delete(run);
      },
      startBridge: async (place) => {
        await this.opened;
        this.places.push(place);
        const bridge = new FakeBridge(FIRST_PID + this.bridges.length, this.start);
        bridge.lingerMs = this.lingerMs;
        this.prepare(bridge);
        this.bridges.push(bridge);
        return bridge.bridge;
      },
      oldBridgeGone: (row, signal, now) => this.oldBridgeGone(row, signal, now),
    });
  }
}

/** A host with a new session. */
export async function openSession(journal?: Journal) {
  const harness = await SessionHarness.open(journal);
  return { harness, session: await harness.create() };
}

/** A session whose Claude is in the turn `t1`, for the message "One". */
export async function openInTurn(journal?: Journal) {
  const { harness, session } = await openSession(journal);
  const { message_id } = await session.message({ message: "One" });
  await harness.say(turnStarted("t1", [message_id]), status(message_id, "started"));
  return { harness, session, message_id };
}

/** Resolves when all messages are in the journal. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
}

/** The whole journal of a session. */
export async function entriesOf(session: HostSession): Promise<readonly JournalEntry[]> {
  const { start } = await session.range();
  const read = await session.entriesAfter(start, Number.POSITIVE_INFINITY);
  if (read === "gap") throw new Error("the start of the journal is a gap");
  return read;
}

/** The state that a client reduces from the whole journal. */
export async function reducedOf(session: HostSession): Promise<ReducedSession> {
  return applied(initialSession, await entriesOf(session));
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
