/** The state of a session: it is bounded, it is the same for all clients, and it is loaded when needed. */
import { describe, expect, spyOn, test } from "bun:test";
import { latestEntries, prependEntries } from "../../../client/entry-pages.ts";
import type { ReducedSession } from "../../../client/reduced-session.ts";
import type { HostSession } from "../../api/host-session.ts";
import { FakeOutlet } from "../../stream/__tests__/support/fake-outlet.ts";
import { subscribe } from "../../stream/subscription.ts";
import { partial, prompt, turnComplete, turnStarted, wholeTurn } from "./support/bridge-words.ts";
import type { Draft } from "./support/fake-bridge.ts";
import {
  applied,
  entriesOf,
  openSession,
  reducedOf,
  SessionHarness,
  settled,
} from "./support/session-harness.ts";

/** A session with so many turns. */
async function after(turns: number) {
  const { harness, session } = await openSession();
  for (let turn = 1; turn <= turns; turn += 1) await haveTurn(harness, session, turn);
  return { harness, session };
}

async function haveTurn(harness: SessionHarness, session: HostSession, turn: number) {
  const { message_id } = await session.message({ message: `${turn}` });
  await harness.say(...wholeTurn(`t${turn}`, message_id, `${turn}`));
}

/** All entries of the transcript, from the snapshot and the pages before it. */
async function wholeTranscript(session: HostSession, limit: number): Promise<readonly string[]> {
  let { state } = await session.snapshot();
  while (state.before !== undefined)
    state = prependEntries(state, await session.turns(state.before, limit));
  return [...state.entries, ...state.openEntries].map(({ key }) => key);
}

/** The state that a client gets when it opens a session. */
function shown(state: ReducedSession): ReducedSession {
  return latestEntries(state, 50);
}

test("the state is bounded, and its older turns are had page by page without a gap", async () => {
  const { session } = await after(130);
  const { state, before } = await session.snapshot();
  expect([...state.entries, ...state.openEntries]).toHaveLength(50);
  expect(before).toBe("t81");
  const keys = Array.from({ length: 130 }, (_, index) => `t${index + 1}`);
  for (const limit of [1, 7, 50, 500]) expect(await wholeTranscript(session, limit)).toEqual(keys);
});

test("whoever plays the whole journal, or goes on from any snapshot, has the state of the host", async () => {
  const { harness, session } = await openSession();
  const snapshots = [await session.snapshot()];
  for (let turn = 1; turn <= 115; turn += 1) {
    await haveTurn(harness, session, turn);
    if (turn % 10 === 0) snapshots.push(await session.snapshot());
  }
  await harness.say(turnStarted("t200"), prompt("r1", "t200"));
  await session.message({ message: "Later" });
  const { state } = await session.snapshot();
  expect(shown(await reducedOf(session))).toEqual(state);
  for (const { cursor, state: before } of snapshots) {
    const read = await session.entriesAfter(cursor, Number.POSITIVE_INFINITY);
    expect(shown(applied(before, read === "gap" ? [] : read))).toEqual(state);
  }
});

test("a session that has ended is loaded from its journal for each who asks", async () => {
  const { session, harness } = await after(5);
  const running = (await session.snapshot()).state;
  const load = spyOn(harness.journal, "snapshot");
  await session.snapshot();
  expect(load).toHaveBeenCalledTimes(0);
  await session.end();
  await settled();
  const first = await session.snapshot();
  expect(first.state.entries).toEqual(running.entries);
  await settled();
  expect(await session.snapshot()).toEqual(first);
  await settled();
  expect(load).toHaveBeenCalledTimes(2);
  const stop = session.listen(() => {});
  await session.snapshot();
  await session.snapshot();
  expect(load).toHaveBeenCalledTimes(3);
  stop();
});

test("whatever is asked of a session that has ended, it does not stay in memory for that", async () => {
  const { session, harness } = await after(2);
  await session.end();
  await settled();
  const load = spyOn(harness.journal, "snapshot");
  const reads = [
    () => session.queue(),
    () => session.returned(),
    () => session.prompts(),
    () => session.promptOfCall("none"),
    () => session.prompt("none").catch(() => {}),
    () => session.readReturned("none").catch(() => {}),
    () => session.range(),
    () => session.turns(undefined, 5),
  ];
  for (const read of reads) {
    await read();
    await settled();
  }
  expect(load).toHaveBeenCalledTimes(reads.length);
});

test("a session whose bridge has ended by itself leaves the memory too", async () => {
  const { session, harness } = await after(2);
  const load = spyOn(harness.journal, "snapshot");
  await harness.endBridge();
  await session.snapshot();
  expect(load).toHaveBeenCalledTimes(1);
});

test("a long session is loaded without all that was said in it", async () => {
  const { session, harness } = await after(1);
  const words = Array.from({ length: 2_000 }, () => partial("t2", "word "));
  await harness.say(turnStarted("t2"), ...words, turnComplete("t2"));
  const kept = await harness.journal.snapshot(session.id);
  expect(kept?.cursor).toEqual((await session.range()).end);
  expect(kept?.state.entries.length).toBeGreaterThan(0);
});

test("frames are sent after they are in the journal, once and in order", async () => {
  const { harness, session } = await openSession();
  const seen: number[] = [];
  const written: Promise<boolean>[] = [];
  const stop = session.listen((frames) => {
    for (const { cursor } of frames) {
      seen.push(cursor?.seq ?? 0);
      written.push(session.range().then(({ end }) => end.seq >= (cursor?.seq ?? 0)));
    }
  });
  const { seq } = (await session.range()).end;
  await haveTurn(harness, session, 1);
  const end = (await session.range()).end.seq;
  expect(seen).toEqual(Array.from({ length: end - seq }, (_, index) => seq + index + 1));
  expect(new Set(await Promise.all(written))).toEqual(new Set([true]));
  stop();
  await haveTurn(harness, session, 2);
  expect(seen).toHaveLength(end - seq);
});

test("messages of the bridge in one tick are one commit", async () => {
  const { harness, session } = await openSession();
  await settled();
  const batches: (readonly string[])[] = [];
  session.listen((frames) => batches.push(frames.map(({ type }) => type)));
  await harness.say(turnStarted(), prompt("r1", "t1"));
  expect(batches).toEqual([["turn_started", "control_request_forward"]]);
});

describe("a conversation that Claude had before", () => {
  const said = (turn: number): readonly Draft[] => [
    { type: "user_text", text: `Q${turn}`, kind: "history", message_id: `m${turn}` },
    {
      type: "assistant_text",
      msg_id: `a${turn}`,
      block_index: 0,
      text: `A${turn}`,
      is_partial: false,
      status: "complete",
    },
  ];

  /** A harness whose bridges know a past conversation of so many turns, in pages of at most 40. */
  async function withHistory(turns: number) {
    const harness = await SessionHarness.open();
    harness.prepare = (bridge) =>
      bridge.answers.set("session_history", (_, asked) => {
        const end = Number(asked["before"] ?? turns + 1);
        const first = Math.max(end - 40, 1);
        const numbers = Array.from({ length: end - first }, (_, index) => first + index);
        return {
          type: "session_history_result",
          session_id: String(asked["session_id"]),
          messages: numbers.flatMap(said),
          skipped_lines: 0,
          ...(first > 1 && { before: String(first) }),
        };
      });
    return harness;
  }

  const texts = async (session: HostSession) =>
    (await wholeTranscript(session, 30)).map((key) => key.replace("history:", ""));

  test("is in front of the turns after it was resumed, for all who follow", async () => {
    const harness = await withHistory(120);
    const resumed = { dir: "/work", place: "local", resume: "old" };
    const session = await harness.sessions.create(resumed);
    expect(harness.bridge.sentOf("protocol_init")).toMatchObject([
      { session: { mode: "resume", session_id: "old" } },
    ]);
    await haveTurn(harness, session, 1);
    const keys = [...Array.from({ length: 120 }, (_, index) => `m${index + 1}`), "t1"];
    expect(await texts(session)).toEqual(keys);
    expect(shown(await reducedOf(session))).toEqual((await session.snapshot()).state);
    expect((await entriesOf(session)).map(({ type }) => type)).not.toContain(
      "session_history_result",
    );
    await harness.restart();
    expect(await texts(harness.sessions.get(session.id))).toEqual(keys);
  });

  test("gives its title to a session that is created without one", async () => {
    const resumed = { dir: "/work", place: "local", resume: "old" };
    const session = await (await withHistory(60)).sessions.create(resumed);
    expect(session.info().title).toBe("Q1");
    expect((await session.snapshot()).state.title).toBe("Q1");
    const named = await (await withHistory(60)).sessions.create({ ...resumed, title: "Mine" });
    expect(named.info().title).toBe("Mine");
  });

  test("is shown up to the message at which it is forked", async () => {
    const harness = await withHistory(60);
    const wanted = { dir: "/work", place: "local", resume: "old", fork: true, at_message: "m15" };
    const session = await harness.sessions.create(wanted);
    expect(await texts(session)).toEqual(Array.from({ length: 14 }, (_, index) => `m${index + 1}`));
    expect(harness.bridge.sentOf("protocol_init")).toMatchObject([
      { session: { mode: "fork", session_id: "old", at_message: "m15" } },
    ]);
  });

  test("that cannot be read is reported, and the session goes on without it", async () => {
    const harness = await SessionHarness.open();
    harness.prepare = (bridge) =>
      bridge.answers.set("session_history", () => ({
        type: "error",
        code: "internal",
        message: "the disk is away",
        recoverable: true,
      }));
    const resumed = { dir: "/work", place: "local", resume: "old" };
    const session = await harness.sessions.create(resumed);
    await settled();
    expect(session.info()).toMatchObject({ state: "idle", last_error: "the disk is away" });
  });
});

test("a fork continues the conversation of its session in a copy, with the same settings", async () => {
  const harness = await SessionHarness.open();
  const session = await harness.sessions.create({
    dir: "/work",
    place: "local",
    model: "opus",
    permission_mode: "plan",
  });
  await haveTurn(harness, session, 1);
  const fork = await harness.sessions.fork(session.id, "m1");
  expect(fork.id).not.toBe(session.id);
  expect(harness.bridge.sentOf("protocol_init")).toMatchObject([
    {
      session: { mode: "fork", session_id: "c1", at_message: "m1" },
      model: "opus",
      permission_mode: "plan",
    },
  ]);
});

test("settings that are chosen while no Claude runs are those of its next start", async () => {
  const { harness, session } = await openSession();
  await harness.endBridge();
  expect(await session.setMode("plan")).toEqual({});
  expect(await session.setModel("opus")).toEqual({});
  expect(session.info()).toMatchObject({ model: "opus", permission_mode: "plan" });
  expect((await session.snapshot()).state).toMatchObject({ model: "opus", permissionMode: "plan" });
  await session.message({ message: "One" });
  expect(harness.bridge.sentOf("protocol_init")).toMatchObject([
    { model: "opus", permission_mode: "plan" },
  ]);
});

test("a setting that Claude refuses is refused", async () => {
  const { harness, session } = await openSession();
  harness.bridge.answers.set("permission_mode", (usual) => ({
    ...usual,
    ok: false,
    error: "not allowed",
  }));
  const refused = await session.setMode("bypassPermissions").catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 409, code: "refused", message: "not allowed" });
  const unknown = await session.setMode("none").catch((error: unknown) => error);
  expect(unknown).toMatchObject({ status: 400, body: { field: "permission_mode" } });
});

test("of more than 200 open prompts the newest are refused", async () => {
  const { harness, session } = await openSession();
  await harness.say(...Array.from({ length: 201 }, (_, index) => prompt(`r${index}`)));
  expect(await session.prompts()).toHaveLength(200);
  expect(harness.bridge.sentOf("tool_approval")).toMatchObject([
    { request_id: "r200", decision: "deny" },
  ]);
});

test("a client that has an entry of a commit whose answer is late goes on after it, since another host may have sent it", async () => {
  const { harness, session } = await openSession();
  const { journal } = harness;
  const before = (await session.range()).end;
  const written = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const commit = journal.commit.bind(journal);
  journal.commit = async (...args) => {
    const entries = await commit(...args);
    written.resolve();
    await answered.promise;
    return entries;
  };
  const renamed = session.rename("Written");
  await written.promise;
  const { end } = await journal.range(session.id);
  expect(end.seq).toBeGreaterThan(before.seq);
  const outlet = new FakeOutlet();
  subscribe(session, end, outlet);
  await settled();
  expect(JSON.parse(outlet.frames[0]?.data ?? "")).toEqual({ result: "ok", from: end });
  answered.resolve();
  await renamed;
  expect(outlet.types).toEqual(["resume"]);
});
