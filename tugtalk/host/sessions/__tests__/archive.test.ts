/** Archived sessions: archiving ends their work or is refused, and commands bring them back. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import {
  limitReached,
  processExit,
  prompt,
  refusedTurn,
  turnComplete,
  turnStarted,
} from "./support/bridge-words.ts";
import type { Draft } from "./support/fake-bridge.ts";
import {
  entriesOf,
  openInTurn,
  openSession,
  SessionHarness,
  settled,
} from "./support/session-harness.ts";

/** An archived session, whose Claude has ended. */
async function archived() {
  const { harness, session } = await openSession();
  harness.now = () => 5_000;
  await session.setArchived(true);
  return { harness, session };
}

test("a session that is archived has no Claude by the time of the answer, and all clients learn it", async () => {
  const { harness, session } = await archived();
  expect(harness.bridge.isEnded).toBe(true);
  expect(session.info()).toMatchObject({ state: "exited", archived_at: 5_000 });
  const changes = (await entriesOf(session)).filter(({ type }) => type === "session_changed");
  expect(JSON.parse(changes.at(-1)?.data ?? "")).toEqual({ archived_at: 5_000 });
});

test("a session stays archived over a restart of the host, and from the first time on", async () => {
  const { harness, session } = await archived();
  await harness.restart();
  harness.now = () => 9_000;
  await harness.sessions.get(session.id).setArchived(true);
  expect(harness.sessions.list()).toMatchObject([{ archived_at: 5_000 }]);
});

test("a session that is brought back starts no Claude", async () => {
  const { harness, session } = await archived();
  await session.setArchived(false);
  expect(session.info()).not.toHaveProperty("archived_at");
  expect(harness.bridges).toHaveLength(1);
});

test("a message to an archived session brings it back, and Claude gets it", async () => {
  const { harness, session } = await archived();
  const { message_id } = await session.message({ message: "Again" });
  await settled();
  expect(session.info()).not.toHaveProperty("archived_at");
  expect(harness.bridges).toHaveLength(2);
  expect(harness.bridge.sentOf("user_message")).toMatchObject([{ message_id }]);
});

test("a message while the Claude of an archived session ends brings it back, and the next Claude gets it", async () => {
  const { harness, session } = await openSession();
  harness.bridge.isStubborn = true;
  const archiving = session.setArchived(true);
  await settled();
  const { status, message_id } = await session.message({ message: "Wait" });
  expect(status).toBe("queued");
  await harness.say(processExit(false));
  await harness.endBridge();
  await archiving;
  await settled();
  expect(session.info()).not.toHaveProperty("archived_at");
  expect(harness.bridges).toHaveLength(2);
  expect(harness.bridge.sentOf("user_message")).toMatchObject([{ message_id }]);
});

test("a message that is refused leaves the session archived", async () => {
  const { session } = await archived();
  await failureOf(session.message({ message: " " }));
  expect(session.info()).toHaveProperty("archived_at", 5_000);
});

const TASK: Draft = { type: "task_started", task_id: "b1", task_type: "local_bash" };

test.each<[string, readonly Draft[]]>([
  ["is in a turn", [turnStarted()]],
  ["asks a person beside a turn", [prompt("r1")]],
  ["has a task in the background", [turnStarted(), TASK, turnComplete()]],
])("a session whose Claude %s is not archived, and goes on", async (_, words) => {
  const { harness, session } = await openSession();
  await harness.say(...words);
  expect(await failureOf(session.setArchived(true))).toMatchObject({
    status: 409,
    code: "at_work",
  });
  expect(session.info()).not.toHaveProperty("archived_at");
  expect(harness.bridge.isEnded).toBe(false);
});

test("a session whose Claude starts is not archived", async () => {
  const harness = await SessionHarness.open();
  harness.start = [];
  void harness.create().catch(() => undefined);
  await settled();
  const [info] = harness.sessions.list();
  const session = harness.sessions.get(info?.id ?? "");
  expect(await failureOf(session.setArchived(true))).toMatchObject({ code: "at_work" });
  await harness.sessions.delete(session.id);
});

test("a session that goes on by itself after the usage limit is not archived", async () => {
  const { harness, session } = await openSession();
  await session.setGoesOn(true);
  const { message_id } = await session.message({ message: "One" });
  await harness.say(limitReached(Date.now() + 3_600_000), ...refusedTurn("t1", [message_id]));
  expect(await failureOf(session.setArchived(true))).toMatchObject({ code: "at_work" });
  await session.cancelGoingOn();
  await session.setArchived(true);
  expect(session.info()).toHaveProperty("archived_at");
});

test("messages that wait after a crash of the host are kept in an archived session", async () => {
  const { harness, session } = await openInTurn();
  await session.message({ message: "Two" });
  await harness.restart();
  const again = harness.sessions.get(session.id);
  await again.setArchived(true);
  expect(again.info()).toMatchObject({
    state: "exited",
    queued: 1,
    archived_at: expect.any(Number),
  });
});
