/** Two sessions of one conversation: only one of them may have a Claude. */

import { describe, expect, test } from "bun:test";
import { presentUptime } from "../../../src/base/uptime.ts";
import { failureOf } from "../../../testing/drivers/failure.ts";
import type { HostSession } from "../../api/host-session.ts";
import type { SessionRow } from "../../journal/journal.ts";
import { SessionHarness, settled } from "./support/session-harness.ts";

const CONVERSATION = "11111111-2222-4333-8444-555555555555";
const RESUMED = { dir: "/work", place: "local", resume: CONVERSATION };
async function end(session: HostSession): Promise<void> {
  await session.end();
  await settled();
}

const inUseBy = (session: HostSession) => ({
  status: 409,
  body: { code: "in_use", session: session.id },
});

/** Two sessions of one conversation; the second one runs. */
async function openTwo() {
  const harness = await SessionHarness.open();
  const first = await harness.sessions.create(RESUMED);
  await end(first);
  const second = await harness.sessions.create(RESUMED);
  await settled();
  return { harness, first, second };
}

test("a conversation that a session runs cannot be resumed by a second one, and is copied at any time", async () => {
  const harness = await SessionHarness.open();
  const first = await harness.sessions.create(RESUMED);
  await settled();
  expect(await failureOf(harness.sessions.create(RESUMED))).toMatchObject(inUseBy(first));
  expect(harness.sessions.list()).toHaveLength(1);
  await harness.sessions.create({ ...RESUMED, fork: true });
  expect(harness.bridges).toHaveLength(2);
});

test("of two that resume a conversation at the same time only one is created", async () => {
  const harness = await SessionHarness.open();
  const created = await Promise.allSettled([
    harness.sessions.create(RESUMED),
    harness.sessions.create(RESUMED),
  ]);
  expect(created.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(harness.bridges).toHaveLength(1);
});

test("a message to an ended session is refused while another session runs its conversation", async () => {
  const { harness, first, second } = await openTwo();
  const message = { message: "One", clientMessageId: "m" };
  expect(await failureOf(first.message(message))).toMatchObject(inUseBy(second));
  expect(await first.queue()).toEqual([]);
  expect(first.info().state).toBe("exited");
  expect(harness.bridges).toHaveLength(2);
  await end(second);
  expect(await first.message(message)).toMatchObject({ status: "sent" });
  expect(await failureOf(second.message(message))).toMatchObject(inUseBy(first));
  expect(harness.bridges).toHaveLength(3);
});

test("of two ended sessions that are woken at once only one gets a Claude, and no message is lost", async () => {
  const { harness, first, second } = await openTwo();
  await end(second);
  const before = harness.bridges.length;
  await Promise.allSettled([first.message({ message: "One" }), second.message({ message: "Two" })]);
  await settled();
  expect(harness.bridges).toHaveLength(before + 1);
  const told = harness.bridge.sentOf("user_message").map(({ text }) => text);
  const waiting = (await second.queue()).map(({ message }) => message);
  expect([told, waiting]).toEqual([["One"], ["Two"]]);
  expect(second.info().last_error).toContain(first.id);
});

test("a session whose Claude is restarted for waiting messages leaves its conversation to the session that has it", async () => {
  const { harness, first, second } = await openTwo();
  await second.message({ message: "One" });
  await harness.say({ type: "turn_started", turn_id: "t1", message_ids: [], trigger: "user" });
  await second.message({ message: "Two" });
  harness.opened = new Promise(() => {});
  await harness.endBridge();
  // The session is being started again, although its last Claude has ended.
  expect(await failureOf(first.message({ message: "Three" }))).toMatchObject(inUseBy(second));
});

test("a start waits for the bridge that another session of the conversation has left behind", async () => {
  const { harness, first, second } = await openTwo();
  const waits: SessionRow[] = [];
  const gone = Promise.withResolvers<void>();
  harness.oldBridgeGone = async (row) => {
    if (row.bridge === undefined) return;
    waits.push(row);
    await gone.promise;
  };
  const { bridge } = harness;
  await harness.restart();
  const started = harness.sessions.get(first.id).message({ message: "One" });
  await settled();
  expect(waits.map(({ id }) => id)).toEqual([second.id]);
  expect(harness.bridge).toBe(bridge);
  gone.resolve();
  expect(await started).toMatchObject({ status: "sent" });
  expect(harness.bridge).not.toBe(bridge);
});

describe("a session that has lost its connection", () => {
  const LINGER_MS = 60_000;

  test("has its conversation for as long as the bridge there may run", async () => {
    const harness = await SessionHarness.open();
    harness.lingerMs = LINGER_MS;
    const first = await harness.sessions.create(RESUMED);
    await settled();
    await harness.endBridge({ isConfirmed: false, reason: "the connection was lost" });
    expect(first.info().state).toBe("disconnected");
    expect(await failureOf(harness.sessions.create(RESUMED))).toMatchObject(inUseBy(first));
    harness.now = () => Date.now() + LINGER_MS;
    expect(await failureOf(harness.sessions.create(RESUMED))).toMatchObject(inUseBy(first));
    harness.uptime = () => {
      const up = presentUptime();
      return up && { ...up, ms: up.ms + LINGER_MS };
    };
    await harness.sessions.create(RESUMED);
    expect(harness.bridges).toHaveLength(2);
  });
});
