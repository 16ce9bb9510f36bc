/** Clients of a session whose journal is trimmed again and again while they follow it. */
import { expect, test } from "bun:test";
import { latestEntries } from "../../../client/entry-pages.ts";
import { initialSession, reduceSession } from "../../../client/reduce-session.ts";
import type { ReducedSession } from "../../../client/reduced-session.ts";
import type { Frame } from "../../api/frame.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { wholeTurn } from "../../sessions/__tests__/support/bridge-words.ts";
import { SessionHarness, settled } from "../../sessions/__tests__/support/session-harness.ts";
import { subscribe } from "../subscription.ts";
import { FakeOutlet } from "./support/fake-outlet.ts";
import { turnsUntil } from "./support/turns-of-the-loop.ts";

const TURNS = 400;

/** What a client keeps that has applied these frames. */
function stateAfter(frames: readonly Frame[]): ReducedSession {
  return frames.reduce<ReducedSession>((state, { cursor, type, data }) => {
    const numbers = cursor === undefined ? {} : { e: cursor.epoch, q: cursor.seq };
    return reduceSession(state, { ...numbers, t: type, d: JSON.parse(data) });
  }, initialSession);
}

/** The latest turns, which the host keeps of a state, too. */
function latestOf(state: ReducedSession): ReducedSession {
  const { before: _, ...latest } = latestEntries(state, 20);
  return latest;
}

test("clients that keep up and clients that lag all end with the state of a session that is trimmed", async () => {
  const harness = new SessionHarness(openJournal(":memory:", { maxSessionBytes: 60_000 }));
  const session = await harness.create();
  const rooms = [Number.POSITIVE_INFINITY, 1_000, 20_000];
  const outlets = rooms.map((room) => new FakeOutlet(room));
  for (const outlet of outlets) subscribe(session, "start", outlet);
  for (let turn = 1; turn <= TURNS; turn++) {
    harness.bridge.say(...wholeTurn(`t${turn}`, `m${turn}`, `${turn} `.repeat(100)));
    await settled();
    if (turn % 7 === 0) for (const outlet of outlets.slice(1)) outlet.read(5_000);
  }
  for (const outlet of outlets) outlet.read(Number.MAX_SAFE_INTEGER);
  const { seq } = session.cursor();
  const ends = () => outlets.map(({ frames }) => stateAfter(frames.slice(-1)).applied.seq);
  await turnsUntil(() => ends().every((end) => end === seq));
  const gaps = outlets.map(({ types }) => types.filter((type) => type === "snapshot").length);
  expect(Math.min(...gaps)).toBeGreaterThan(0);
  expect(Math.max(...gaps)).toBeGreaterThan(2);
  const wanted = latestOf(session.snapshot().state);
  for (const { frames } of outlets) expect(latestOf(stateAfter(frames))).toEqual(wanted);
});
