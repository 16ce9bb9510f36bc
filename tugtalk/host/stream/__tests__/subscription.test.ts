/**
 * The frames of one session to one client. `subscription-schedules.test.ts` shows that none is missing or
 * repeated.
 */
import { afterEach, expect, jest, test } from "bun:test";
import { initialSession } from "../../../client/reduce-session.ts";
import { type FrameSource, MAX_UNREAD_CHARS, subscribe } from "../subscription.ts";
import { FakeOutlet } from "./support/fake-outlet.ts";
import { FakeSession } from "./support/fake-session.ts";
import { nextTurn, settled, turnsUntil } from "./support/turns-of-the-loop.ts";

const MIB = 1024 * 1024;

afterEach(() => {
  jest.useRealTimers();
});

/** A session with this many small entries. */
function sessionWith(entries: number): FakeSession {
  const session = new FakeSession();
  for (let count = 0; count < entries; count++) session.commit(10);
  return session;
}

/** The same session, whose journal answers each read after `meanwhile`. */
function answeringLate(session: FakeSession, meanwhile: () => void): FrameSource {
  return {
    id: session.id,
    listen: (onFrames) => session.listen(onFrames),
    range: () => session.range(),
    snapshot: () => session.snapshot(),
    entriesAfter: async (after, maxChars) => {
      const entries = await session.entriesAfter(after, maxChars);
      meanwhile();
      await settled();
      return entries;
    },
  };
}

test("without a cursor a client gets the verdict gap, one snapshot, and then the committed entries", async () => {
  const session = sessionWith(3);
  const outlet = new FakeOutlet();
  subscribe(session, undefined, outlet);
  await settled();
  session.commit(10, 10);
  expect(outlet.types).toEqual(["resume", "snapshot", "text_delta", "text_delta"]);
  const [verdict, snapshot] = outlet.frames;
  expect(JSON.parse(verdict?.data ?? "")).toEqual({ result: "gap", from: { epoch: 1, seq: 3 } });
  expect(JSON.parse(snapshot?.data ?? "")).toEqual({
    cursor: { epoch: 1, seq: 3 },
    state: { ...initialSession, lastKey: 3 },
  });
  expect(verdict?.cursor).toBeUndefined();
  expect(snapshot?.cursor).toBeUndefined();
  expect(outlet.seqs).toEqual([4, 5]);
});

test("from the start a client gets all that the journal keeps", async () => {
  const session = sessionWith(5);
  session.trim(2);
  const outlet = new FakeOutlet();
  subscribe(session, "start", outlet);
  await turnsUntil(() => outlet.seqs.length === 3);
  const [verdict] = outlet.frames;
  expect(JSON.parse(verdict?.data ?? "")).toEqual({ result: "ok", from: { epoch: 2, seq: 2 } });
  expect(outlet.seqs).toEqual([3, 4, 5]);
});

test.each([
  ["of another epoch", { epoch: 1, seq: 4 }],
  ["beyond the end", { epoch: 2, seq: 6 }],
  ["before what is kept", { epoch: 2, seq: 1 }],
])("a cursor %s gives the verdict gap and a snapshot", async (_, after) => {
  const session = sessionWith(5);
  session.trim(2);
  const outlet = new FakeOutlet();
  subscribe(session, after, outlet);
  await nextTurn();
  expect(JSON.parse(outlet.frames[0]?.data ?? "")).toMatchObject({ result: "gap" });
  expect(outlet.types).toEqual(["resume", "snapshot"]);
});

test("a long journal is read in pieces, and other work comes between them", async () => {
  const session = sessionWith(0);
  session.commit(...Array.from({ length: 100 }, () => 20_000));
  const outlet = new FakeOutlet();
  subscribe(session, "start", outlet);
  const lengths = new Set<number>();
  await turnsUntil(() => {
    lengths.add(outlet.seqs.length);
    return outlet.seqs.length === 100;
  });
  expect(lengths.size).toBeGreaterThan(10);
});

test("a client reads a journal that answers late once, whatever is committed meanwhile", async () => {
  const session = sessionWith(3);
  const outlet = new FakeOutlet();
  let reads = 0;
  const late = answeringLate(session, () => {
    reads += 1;
    session.commit(10);
  });
  subscribe(late, "start", outlet);
  await turnsUntil(() => outlet.seqs.length === 4);
  session.commit(10);
  expect(outlet.seqs).toEqual([1, 2, 3, 4, 5]);
  expect(reads).toBe(1);
});

test("an entry that is announced again hides none that follows it, and is not sent again", async () => {
  const session = sessionWith(3);
  const outlet = new FakeOutlet();
  const late = answeringLate(session, () => {
    session.commit(10);
    session.commit(10);
    session.tell(4);
  });
  subscribe(late, session.cursor(), outlet);
  await turnsUntil(() => outlet.seqs.length === 2);
  session.tell(5);
  session.commit(10);
  expect(outlet.seqs).toEqual([4, 5, 6]);
});

test("a client that still reads when its session is deleted is cut off, also where all other entries were announced", async () => {
  const session = sessionWith(3);
  const outlet = new FakeOutlet();
  const late = answeringLate(session, () => {
    session.commit(10);
    session.announce("session_deleted");
  });
  subscribe(late, "start", outlet);
  await settled();
  expect(outlet.isCutOff).toBe(true);
  expect(session.listeners).toBe(0);
});

test("a client is cut off when more than 8 MiB were committed that it has not read", async () => {
  const session = sessionWith(0);
  const outlet = new FakeOutlet(10);
  subscribe(session, "start", outlet);
  for (let count = 0; count < 7; count++) session.commit(MIB);
  expect(outlet.isCutOff).toBe(false);
  session.commit(MIB);
  expect(outlet.isCutOff).toBe(true);
  expect(MAX_UNREAD_CHARS).toBe(8 * MIB);
  expect(session.listeners).toBe(0);
});

test("a client that reads slowly, but as fast as is committed, is not cut off", async () => {
  const session = sessionWith(0);
  const outlet = new FakeOutlet(MIB);
  subscribe(session, "start", outlet);
  for (let count = 1; count <= 40; count++) {
    session.commit(MIB);
    outlet.read(MIB + 100);
    await turnsUntil(() => outlet.seqs.length >= count - 1);
  }
  expect(outlet.isCutOff).toBe(false);
});

test("a client that lags when the database goes away learns that, and gets the rest when it is back", async () => {
  jest.useFakeTimers();
  const session = sessionWith(0);
  session.commit(...Array.from({ length: 5 }, () => MIB));
  const outlet = new FakeOutlet(10);
  subscribe(session, "start", outlet);
  await settled();
  session.isAway = true;
  session.announce("database_away");
  outlet.read(MIB);
  await settled();
  expect(outlet.types).toContain("database_away");
  expect(outlet.isCutOff).toBe(false);
  session.isAway = false;
  jest.advanceTimersByTime(500);
  outlet.read(100 * MIB);
  await turnsUntil(() => outlet.seqs.length === 5);
  expect(outlet.seqs).toEqual([1, 2, 3, 4, 5]);
});

test("bytes that a client had not read before it subscribed do not count against it", async () => {
  const session = sessionWith(0);
  for (let count = 0; count < 20; count++) session.commit(MIB);
  const outlet = new FakeOutlet(10);
  subscribe(session, "start", outlet);
  session.commit(MIB);
  expect(outlet.isCutOff).toBe(false);
  outlet.read(100 * MIB);
  await turnsUntil(() => outlet.seqs.length === 21);
  expect(outlet.isCutOff).toBe(false);
});

test("when the journal is trimmed a client that is up to date gets gap and a snapshot once, then goes on", async () => {
  const session = sessionWith(5);
  const outlet = new FakeOutlet();
  subscribe(session, "start", outlet);
  await turnsUntil(() => outlet.seqs.length === 5);
  await nextTurn();
  session.trim(3);
  session.commit(10);
  await settled();
  session.commit(10);
  expect(outlet.types.slice(6)).toEqual(["resume", "snapshot", "text_delta"]);
  expect(outlet.seqs).toEqual([1, 2, 3, 4, 5, 7]);
});

test("after the end of a subscription its client is sent nothing", async () => {
  const session = sessionWith(3);
  const outlet = new FakeOutlet(10);
  const end = subscribe(session, "start", outlet);
  await nextTurn();
  end();
  outlet.read(MIB);
  await nextTurn();
  session.commit(10);
  expect(outlet.types).toEqual(["resume"]);
  expect(session.listeners).toBe(0);
});

test("after the end of a subscription its client does not get the entries that were announced during the read of the journal", async () => {
  const session = sessionWith(3);
  const outlet = new FakeOutlet();
  const late = answeringLate(session, () => {
    session.commit(10);
    end();
  });
  const end = subscribe(late, session.cursor(), outlet);
  for (let count = 0; count < 3; count += 1) await settled();
  expect(outlet.types).toEqual(["resume"]);
});

test("a client that cannot be sent to is cut off, and the others get the same batch", async () => {
  const session = sessionWith(0);
  const broken = new FakeOutlet();
  const whole = new FakeOutlet();
  subscribe(session, "start", broken);
  subscribe(session, "start", whole);
  await settled();
  broken.isBroken = true;
  session.commit(10);
  await nextTurn();
  expect(broken.isCutOff).toBe(true);
  expect(whole.seqs).toEqual([1]);
  expect(session.listeners).toBe(1);
});
