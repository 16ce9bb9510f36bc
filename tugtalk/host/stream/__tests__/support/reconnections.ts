/**
 * Two clients of one streaming turn on a real host: one stays connected, and the connection of the other one
 * is killed at random points and made again.
 */
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { initialSession, reduceSession } from "../../../../client/reduce-session.ts";
import type { ReducedSession } from "../../../../client/reduced-session.ts";
import {
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../../../testing/drivers/host-process.ts";
import {
  byEvents,
  bySocket,
  type Entry,
  JournalFollower,
  type SessionAddress,
  type Way,
} from "../../../../testing/drivers/journal-follower.ts";
import { into } from "../../../../testing/drivers/written-conversation.ts";
import { seedOf } from "../../../../testing/random/property-check.ts";

const MAX_ENTRIES_OF_A_CONNECTION = 40;

/** The test interrupts the turn before this time. */
const MAX_TURN_MS = 40_000;

type Followed = {
  readonly stayed: readonly Entry[];
  readonly reconnected: readonly Entry[];
  /** Read at the end in one piece. */
  readonly journal: readonly Entry[];
  /** The host's own state. */
  readonly state: unknown;
  /** How often the killed client reconnected before the end of the turn. */
  readonly killsDuringTheTurn: number;
};

/** Declares the tests, for both transports. */
export function testReconnections(kills: number): void {
  let started: Promise<TestHost> | undefined;
  const host = () => {
    started ??= startHost();
    return started;
  };
  test.each([
    ["server-sent events", byEvents],
    ["the WebSocket", bySocket],
  ])(
    `by %s a client that is killed ${kills} times and comes back has the same journal as one that stays`,
    async (_, way) => {
      const followed = await followReconnecting(await host(), way, kills);
      const { stayed, reconnected, journal, state, killsDuringTheTurn } = followed;
      expect(killsDuringTheTurn).toBe(kills);
      expect(reconnected).toEqual(journal);
      expect(stayed).toEqual(journal);
      expect<unknown>(stateAfter(reconnected)).toEqual(state);
    },
  );
}

/** Throws if the host does not resume one of the connections, or leaves out or repeats an entry. */
async function followReconnecting(host: TestHost, way: Way, kills: number): Promise<Followed> {
  const session = await host.createSession({
    conversation: streamedTurn(MAX_TURN_MS),
    claudeEnv: { TUGTALK_SIM_SPEED: "1" },
  });
  const address = { url: host.url, authorization: host.authorization, id: session.id };
  const stays = new JournalFollower(way);
  await stays.connect(address);
  await session.message("go");
  await stays.next("turn_started");
  const comesBack = new JournalFollower(way);
  let killsDuringTheTurn = 0;
  for (const entries of randomLives(kills)) {
    await liveFor(comesBack, address, entries);
    if (!hasEnded(stays.entries)) killsDuringTheTurn += 1;
  }
  await comesBack.connect(address);
  const last = await endOf(session, stays);
  await Promise.all([stays.reaches(last), comesBack.reaches(last)]);
  for (const follower of [stays, comesBack]) follower.close();
  return {
    stayed: stays.entries,
    reconnected: comesBack.entries,
    journal: await wholeJournal(address, last),
    state: (await session.run("snapshot")).body["state"],
    killsDuringTheTurn,
  };
}

/** The state that follows from the entries. */
function stateAfter(entries: readonly Entry[]): ReducedSession {
  return entries.reduce<ReducedSession>(reduceSession, initialSession);
}

/** The numbers of entries after which each connection is killed: many at once. */
function randomLives(kills: number): readonly number[] {
  const entries = fc.integer({ min: 0, max: MAX_ENTRIES_OF_A_CONNECTION });
  const lives = fc.array(entries, { minLength: kills, maxLength: kills });
  const seed = seedOf(`${kills} reconnections`);
  return fc.sample(lives, { seed, numRuns: 1 })[0] ?? [];
}

/** A piece of text every millisecond. */
function streamedTurn(ms: number): readonly object[] {
  const text = Array.from({ length: ms }, (_, index) => `${index}`.padStart(5)).join("");
  const msg = { content: [{ type: "text", text }], pieceChars: 5, delayMs: 1 };
  return [into({ type: "user" }), { dir: "open" }, { dir: "reply", msg }, { dir: "end" }];
}

async function liveFor(client: JournalFollower, address: SessionAddress, entries: number) {
  const killed = client.cursor.seq + entries;
  await client.connect(address);
  if (entries > 0) await client.reaches(killed);
  client.kill();
}

function hasEnded(entries: readonly Entry[]): boolean {
  return entries.some(({ t }) => ENDS.includes(t));
}

const ENDS = ["turn_complete", "turn_cancelled"];

/** The number of the last entry, once no more come. */
async function endOf(session: TestHostSession, client: JournalFollower): Promise<number> {
  await session.run("interrupt");
  await client.next(({ t }) => ENDS.includes(t));
  await session.run("delete", { keep: 1 });
  const { body } = await session.run("snapshot");
  return (body["cursor"] as { readonly seq: number }).seq;
}

async function wholeJournal(address: SessionAddress, last: number): Promise<readonly Entry[]> {
  const reader = new JournalFollower(byEvents);
  await reader.connect(address);
  await reader.reaches(last);
  reader.close();
  return reader.entries;
}
