/** A session on a place that has lost its connection: its events, and the time at which it continues. */
import { describe, expect, test } from "bun:test";
import { presentUptime, uptimeAtStart } from "../../../src/base/uptime.ts";
import type { SessionRow } from "../../journal/journal.ts";
import { CLOSING, lingerLeft, oldBridgeGone } from "../old-bridge.ts";
import { entriesOf, SessionHarness, settled } from "./support/session-harness.ts";

const LOST = { isConfirmed: false, reason: "the connection with box was lost" };
const TURN = { type: "turn_started", turn_id: "t1", message_ids: [], trigger: "user" } as const;
const LINGER_MS = 60_000;

/** A harness whose bridges are on a place. The test decides when the old bridge is gone. */
async function onPlace() {
  const harness = await SessionHarness.open();
  const gone = Promise.withResolvers<void>();
  const waits: SessionRow[] = [];
  harness.lingerMs = LINGER_MS;
  harness.oldBridgeGone = async (row, signal) => {
    if (row.bridge === undefined) return;
    waits.push(row);
    signal.addEventListener("abort", () => gone.reject(CLOSING));
    await gone.promise;
  };
  return { harness, gone, waits };
}

/** A session that has lost its connection in a turn, with these messages waiting. */
async function lostInTurn(
  { harness }: Awaited<ReturnType<typeof onPlace>>,
  waiting: readonly string[],
) {
  const session = await harness.create();
  const { message_id } = await session.message({ message: "One" });
  await harness.say(TURN);
  for (const message of waiting) await session.message({ message });
  await harness.endBridge(LOST);
  return { session, message_id };
}

test("a lost connection is reported, and messages that Claude may have had are failed", async () => {
  const place = await onPlace();
  const { session, message_id } = await lostInTurn(place, []);
  expect(session.info()).toMatchObject({ state: "disconnected", last_error: LOST.reason });
  const told = (await entriesOf(session)).map(({ type, data }) => ({ type, ...JSON.parse(data) }));
  expect(told).toContainEqual({ type: "message_status", message_id, status: "failed" });
  expect(told).toContainEqual(expect.objectContaining({ type: "turn_cancelled", turn_id: "t1" }));
  expect(place.harness.bridges).toHaveLength(1);
});

test("a message to a session that is disconnected waits until the bridge there is gone, and then resumes by id", async () => {
  const place = await onPlace();
  const { session } = await lostInTurn(place, []);
  const receipt = await session.message({ message: "Two", clientMessageId: "c" });
  expect(receipt).toMatchObject({ status: "queued", position: 1 });
  expect(await session.message({ message: "Two", clientMessageId: "c" })).toEqual(receipt);
  expect(session.info().state).toBe("disconnected");
  expect(place.harness.bridges).toHaveLength(1);
  place.gone.resolve();
  await settled();
  const { bridge } = place.harness;
  expect(place.harness.bridges).toHaveLength(2);
  expect(bridge.sentOf("protocol_init")).toMatchObject([
    { session: { mode: "resume", session_id: "c1" } },
  ]);
  expect(bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Two"]);
});

test("a message that waited when the connection was lost goes on by itself, once the bridge there is gone", async () => {
  const place = await onPlace();
  const { session } = await lostInTurn(place, ["Two", "Three"]);
  expect(await session.queue()).toHaveLength(2);
  place.gone.resolve();
  await settled();
  expect(place.harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Two"]);
});

test("after an end that the bridge there has confirmed the next message need not wait", async () => {
  const { harness, waits } = await onPlace();
  const session = await harness.create();
  await harness.endBridge();
  expect(session.info().state).toBe("exited");
  expect(await session.message({ message: "Two" })).toMatchObject({ status: "sent" });
  expect(waits).toEqual([]);
});

test("a host that is ended does not wait for a bridge that is lost", async () => {
  const place = await onPlace();
  const { session } = await lostInTurn(place, []);
  await session.message({ message: "Two" });
  await session.end();
  expect(place.harness.bridges).toHaveLength(1);
  expect(session.info()).toMatchObject({ state: "disconnected", queued: 1 });
});

test("after a kill of the host its bridge on a place counts as lost at the start of the next one", async () => {
  const { harness, waits, gone } = await onPlace();
  const { id } = await harness.create();
  const start = Date.now();
  await harness.restart();
  const session = harness.sessions.get(id);
  expect(session.info().state).toBe("disconnected");
  expect(await session.message({ message: "Two" })).toMatchObject({ status: "queued" });
  expect(waits[0]?.bridge?.at).toBeGreaterThanOrEqual(start);
  expect(waits[0]?.bridge).toMatchObject({ lingerMs: LINGER_MS });
  gone.resolve();
  await settled();
  expect(harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Two"]);
});

test("a step of the clock ends no wait for a bridge on a place, whether its connection was lost or its host killed", async () => {
  const lost = await onPlace();
  const { session } = await lostInTurn(lost, []);
  await session.message({ message: "Two" });
  const killed = await onPlace();
  const { id } = await killed.harness.create();
  await killed.harness.restart();
  await killed.harness.sessions.get(id).message({ message: "Two" });
  const later = Date.now() + 3_600_000;
  for (const { waits } of [lost, killed]) {
    const [row = {}] = waits;
    expect(lingerLeft(row, later, presentUptime())).toBeGreaterThan(LINGER_MS - 30_000);
  }
});

describe("the bridge of before", () => {
  const row = (bridge: NonNullable<SessionRow["bridge"]>): SessionRow => ({
    id: "s",
    place: "box",
    dir: "/work",
    title: "",
    createdAt: 0,
    updatedAt: 0,
    summary: { state: "exited", pending: 0, queued: 0, costUsd: 0 },
    bridge,
  });
  const { signal } = new AbortController();

  test("on a place is waited for as long as it may go on, whatever the clock does", () => {
    const lost = row({ pid: 1, at: 1000, lingerMs: 500 });
    const left = [900, 1000, 1200, 1500, 9000].map((now) => lingerLeft(lost, now, undefined));
    expect(left).toEqual([500, 500, 300, 0, 0]);
  });

  test("on a place is waited for by the uptime, and by the clock at another machine", () => {
    const lost = row({ pid: 1, at: 0, lingerMs: 500, upAt: { processes: "here", ms: 1000 } });
    const at = (processes: string, ms: number) => lingerLeft(lost, 400, { processes, ms });
    expect([at("here", 1000), at("here", 1200), at("here", 9000)]).toEqual([500, 300, 0]);
    expect(at("there", 9000)).toBe(100);
  });

  test("of this machine is gone when its process is", async () => {
    const child = Bun.spawn(["true"]);
    await child.exited;
    await oldBridgeGone(row({ pid: child.pid, at: Date.now() }), signal, Date.now());
  });

  test("of this machine is not gone before its Claude is, which it may have left behind", async () => {
    const [bridge, claude] = [Bun.spawn(["true"]), Bun.spawn(["cat"], { stdin: "pipe" })];
    await bridge.exited;
    let isGone = false;
    const mark = { pid: bridge.pid, at: Date.now(), claudePid: claude.pid };
    const gone = oldBridgeGone(row(mark), signal, Date.now()).then(() => {
      isGone = true;
    });
    await new Promise(setImmediate);
    expect(isGone).toBe(false);
    claude.stdin.end();
    await gone;
    expect(claude.exitCode).toBe(0);
  });

  const upAt = uptimeAtStart(process.pid);
  if (upAt === undefined) throw new Error("these tests need /proc");
  const later = Date.now() + 3_600_000;

  test.each([
    ["a younger process", { at: later, upAt: { ...upAt, ms: upAt.ms - 6_000 } }],
    ["a process after a start of the machine", { at: later, upAt: { ...upAt, processes: "" } }],
    ["a younger process by the clock, where nothing else tells", { at: 0 }],
  ])("is gone when its id belongs to %s", async (_, mark) => {
    await oldBridgeGone(row({ pid: process.pid, ...mark }), signal, 0);
  });

  test("is not taken for gone when the clock of the host that marked it was slow", async () => {
    const closing = new AbortController();
    const mark = { pid: process.pid, at: 0, upAt: presentUptime() };
    const gone = oldBridgeGone(row(mark), closing.signal, 0);
    closing.abort();
    expect(await gone.catch(Object)).toMatchObject({ code: "closing" });
  });

  test("is not waited for when the host ends", async () => {
    const closing = new AbortController();
    const gone = oldBridgeGone(row({ pid: process.pid, at: Date.now() }), closing.signal, 0);
    closing.abort();
    expect(await gone.catch((error: unknown) => error)).toMatchObject({ code: "closing" });
  });
});
