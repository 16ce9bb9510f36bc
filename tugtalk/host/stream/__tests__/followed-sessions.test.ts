/** Clients of a session whose journal is trimmed again and again while they follow it, or that is deleted. */
import { expect, test } from "bun:test";
import { latestEntries } from "../../../client/entry-pages.ts";
import { initialSession, reduceSession } from "../../../client/reduce-session.ts";
import type { ReducedSession } from "../../../client/reduced-session.ts";
import type { Frame } from "../../api/frame.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { wholeTurn } from "../../sessions/__tests__/support/bridge-words.ts";
import { openSession, settled } from "../../sessions/__tests__/support/session-harness.ts";
import { subscribe } from "../subscription.ts";
import { eventually } from "./support/eventually.ts";
import { FakeOutlet } from "./support/fake-outlet.ts";
import { turnsUntil } from "./support/turns-of-the-loop.ts";

const TURNS = 400;

/** The state of a client that has applied these frames. */
function stateAfter(frames: readonly Frame[]): ReducedSession {
  return frames.reduce<ReducedSession>((state, { cursor, type, data }) => {
    const numbers = cursor === undefined ? {} : { e: cursor.epoch, q: cursor.seq };
    return reduceSession(state, { ...numbers, t: type, d: JSON.parse(data) });
  }, initialSession);
}

/** The latest turns of a state, which the host also keeps. */
function latestOf(state: ReducedSession): ReducedSession {
  const { before: _, ...latest } = latestEntries(state, 20);
  return latest;
}

test("clients that keep up and clients that lag all end with the state of a session that is trimmed", async () => {
  const { harness, session } = await openSession(
    openJournal(":memory:", { maxSessionBytes: 60_000 }),
  );
  const rooms = [Number.POSITIVE_INFINITY, 1_000, 20_000];
  const outlets = rooms.map((room) => new FakeOutlet(room));
  for (const outlet of outlets) subscribe(session, "start", outlet);
  for (let turn = 1; turn <= TURNS; turn++) {
    await harness.say(...wholeTurn(`t${turn}`, `m${turn}`, `${turn} `.repeat(100)));
    if (turn % 7 === 0) for (const outlet of outlets.slice(1)) outlet.read(5_000);
  }
  for (const outlet of outlets) outlet.read(Number.MAX_SAFE_INTEGER);
  const { seq } = (await session.range()).end;
  const ends = () => outlets.map(({ frames }) => stateAfter(frames.slice(-1)).applied.seq);
  await turnsUntil(() => ends().every((end) => end === seq));
  const gaps = outlets.map(({ types }) => types.filter((type) => type === "snapshot").length);
  expect(Math.min(...gaps)).toBeGreaterThan(0);
  expect(Math.max(...gaps)).toBeGreaterThan(2);
  const wanted = latestOf((await session.snapshot()).state);
  for (const { frames } of outlets) expect(latestOf(stateAfter(frames))).toEqual(wanted);
});

test("a client that is up to date gets the deletion of the session as its last frame", async () => {
  const { harness, session } = await openSession();
  const outlet = new FakeOutlet();
  let isOver = false;
  subscribe(session, "start", outlet, () => {
    isOver = true;
  });
  const { end } = await session.range();
  await turnsUntil(() => outlet.seqs.length === end.seq);
  await settled();
  await harness.sessions.delete(session.id);
  expect(outlet.frames.at(-1)).toMatchObject({ session: session.id, type: "session_deleted" });
  expect(outlet.types.slice(-2, -1)).toEqual(["session_state"]);
  expect(isOver).toBe(true);
  expect(outlet.isCutOff).toBe(false);
});

test("a client that lags behind is cut off, and one that leaves later leaves nothing behind", async () => {
  const { harness, session } = await openSession();
  const lagging = new FakeOutlet(10);
  const leaving = new FakeOutlet(10);
  subscribe(session, "start", lagging);
  const leave = subscribe(session, "start", leaving);
  await harness.sessions.delete(session.id);
  lagging.read(1_000_000);
  await eventually(() => lagging.isCutOff);
  expect(leave).not.toThrow();
  expect(lagging.types).toEqual(["resume"]);
});
