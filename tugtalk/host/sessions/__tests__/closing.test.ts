/** Sessions that are deleted, ended or closed with the host while others still use them. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { turnStarted } from "./support/bridge-words.ts";
import { openSession, SessionHarness, settled } from "./support/session-harness.ts";

/** A session in a turn, with a message that waits. */
async function waiting() {
  const { harness, session } = await openSession();
  await harness.say(turnStarted());
  await session.message({ message: "Two" });
  return { harness, session };
}

test("a client that still listens to a deleted session can stop", async () => {
  const { harness, session } = await waiting();
  const stop = session.listen(() => {});
  await harness.sessions.delete(session.id);
  expect(harness.bridge.isEnded).toBe(true);
  stop();
  expect(harness.sessions.list()).toEqual([]);
  expect(await harness.journal.sessions()).toEqual([]);
});

test("a session that is deleted while its Claude starts is reported once, and its bridge is ended", async () => {
  const harness = await SessionHarness.open();
  harness.start = [];
  const told: string[] = [];
  harness.sessions.listen(({ type }) => told.push(type));
  const created = failureOf(harness.create());
  await settled();
  const [info] = harness.sessions.list();
  await harness.sessions.delete(info?.id ?? "");
  expect(await created).toMatchObject({ status: 503, code: "closing" });
  expect(harness.bridge.isEnded).toBe(true);
  expect(told.filter((type) => type === "session_deleted")).toHaveLength(1);
});

test("a session that is deleted before its bridge has started leaves no bridge behind", async () => {
  const harness = await SessionHarness.open();
  harness.start = [];
  const opened = Promise.withResolvers<void>();
  harness.opened = opened.promise;
  const created = failureOf(harness.create());
  await settled();
  const [info] = harness.sessions.list();
  const deleted = harness.sessions.delete(info?.id ?? "");
  opened.resolve();
  await deleted;
  expect(await created).toMatchObject({ status: 503, code: "closing" });
  expect(harness.bridge.isEnded).toBe(true);
});

test.each([
  ["has not started Claude", undefined],
  ["is not there yet", Promise.withResolvers<void>()],
])(
  "a message gets its receipt when its session is deleted while its bridge %s, and the next one is refused",
  async (_, held) => {
    const { harness, session } = await openSession();
    await session.end();
    harness.start = [];
    if (held !== undefined) harness.opened = held.promise;
    const receipt = session.message({ message: "Two" });
    await settled();
    const deleted = harness.sessions.delete(session.id);
    const gone = { status: 404, code: "unknown_session" };
    expect(await failureOf(session.message({ message: "Three" }))).toMatchObject(gone);
    held?.resolve();
    await deleted;
    expect(await receipt).toMatchObject({ status: "queued" });
  },
);

test("a host does not wait for a bridge that does not end, nor listens to it", async () => {
  const harness = await SessionHarness.open();
  harness.closeBudgetMs = 1;
  await harness.restart();
  harness.prepare = (bridge) => {
    bridge.isStubborn = true;
  };
  await harness.create();
  await harness.sessions.close();
  const { bridge } = harness;
  expect(bridge.isEnded).toBe(false);
  // An error would fail the test: the journal is closed.
  bridge.say(turnStarted());
  await settled();
  bridge.end();
  await settled();
});

test("inputs that wait for a commit when the host ends are given up", async () => {
  const journal = openJournal(":memory:");
  const harness = await SessionHarness.open(journal);
  harness.closeBudgetMs = 1;
  await harness.restart();
  harness.prepare = (bridge) => {
    bridge.isStubborn = true;
  };
  const session = await harness.create();
  const written = Promise.withResolvers<void>();
  const commit = journal.commit.bind(journal);
  journal.commit = async (id, change) => {
    await written.promise;
    return commit(id, change);
  };
  const renamed = failureOf(session.rename("Other"));
  await harness.say(turnStarted());
  await harness.sessions.close();
  written.resolve();
  // An error that nobody waits for would fail the test: the journal is closed.
  expect(await renamed).toMatchObject({ code: "closing" });
  await settled();
});

test("a message that comes while the host ends is held, and starts no Claude", async () => {
  const { harness, session } = await waiting();
  harness.prepare = (bridge) => {
    bridge.isStubborn = true;
  };
  await harness.create();
  const closed = harness.sessions.close();
  await settled();
  expect(await session.message({ message: "Three" })).toMatchObject({ status: "queued" });
  expect((await session.queue()).map(({ message }) => message)).toEqual(["Two", "Three"]);
  expect((await session.snapshot()).state.isQueueHeld).toBe(true);
  expect(harness.bridges).toHaveLength(2);
  harness.bridge.end();
  await closed;
});

test("a session that nobody has used before the host ends starts no Claude either", async () => {
  const harness = await SessionHarness.open();
  const { id } = await harness.create();
  await harness.sessions.get(id).end();
  await harness.restart();
  harness.prepare = (bridge) => {
    bridge.isStubborn = true;
  };
  await harness.create();
  const closed = harness.sessions.close();
  const session = harness.sessions.get(id);
  expect(await session.message({ message: "One" })).toMatchObject({ status: "queued" });
  expect((await session.snapshot()).state.isQueueHeld).toBe(true);
  expect(harness.bridges).toHaveLength(2);
  harness.bridge.end();
  await closed;
});

test("an interrupt that comes while the host ends takes nothing out of the queue", async () => {
  const { harness, session } = await waiting();
  harness.bridge.isStubborn = true;
  const closed = harness.sessions.close();
  await settled();
  const interrupted = await failureOf(session.interrupt({ includeBackground: false }));
  expect(interrupted).toMatchObject({ status: 503, code: "closing" });
  expect((await session.queue()).map(({ message }) => message)).toEqual(["Two"]);
  harness.bridge.end();
  await closed;
});

test("an interrupt while Claude is renewed for another limit gives back the waiting messages", async () => {
  const { harness, session } = await openSession();
  harness.bridge.isStubborn = true;
  await session.setLimit(3);
  const receipt = session.message({ message: "Two" });
  await settled();
  expect(await session.interrupt({ includeBackground: false })).toMatchObject({ queued: ["Two"] });
  expect(await receipt).toMatchObject({ status: "returned" });
  await harness.endBridge();
  expect(harness.bridges).toHaveLength(2);
  expect(harness.bridge.sentOf("user_message")).toEqual([]);
});

test("a session that is being created when the host ends is refused, and forgotten", async () => {
  const harness = await SessionHarness.open();
  harness.start = [];
  const created = failureOf(harness.create());
  await settled();
  const told: string[] = [];
  harness.sessions.listen(({ type }) => told.push(type));
  await harness.sessions.close();
  expect(await created).toMatchObject({ status: 503, code: "closing" });
  expect(told).toContain("session_deleted");
});

test("a host that ends creates no session", async () => {
  const { harness } = await waiting();
  const closed = harness.sessions.close();
  expect(await failureOf(harness.create())).toMatchObject({ status: 503, code: "closing" });
  await closed;
});

test("an interrupt that Claude refuses gives back the waiting messages, and is reported; without any, it is refused", async () => {
  const { harness, session } = await waiting();
  harness.bridge.answers.set("interrupt", (usual) => ({ ...usual, ok: false, error: "no" }));
  expect(await session.interrupt({ includeBackground: false })).toMatchObject({ queued: ["Two"] });
  expect(session.info().last_error).toBe("no");
  const again = await failureOf(session.interrupt({ includeBackground: false }));
  expect(again).toMatchObject({ status: 409, code: "refused" });
});
