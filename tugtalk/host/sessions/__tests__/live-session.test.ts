/** A session of the host with a scripted bridge: what clients are told, and what the bridge is sent. */
import { describe, expect, test } from "bun:test";
import { latestEntries } from "../../../client/entry-pages.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Draft } from "./support/fake-bridge.ts";
import {
  entriesOf,
  reducedOf,
  SessionHarness,
  settled,
  typesOf,
} from "./support/session-harness.ts";

const TURN = { type: "turn_started", turn_id: "t1", message_ids: [], trigger: "user" } as const;
const TURN_END = {
  type: "turn_complete",
  turn_id: "t1",
  result: "success",
  subtype: "success",
  is_error: false,
  permission_denials: [],
  message_ids: [],
  trigger: "user",
} as const;
const PROMPT = {
  type: "control_request_forward",
  request_id: "r1",
  turn_id: "t1",
  tool_name: "Bash",
  input: { command: "ls" },
  is_question: false,
} as const;

test("a message to an idle session is sent, its bridge has it, and the session runs from its receipt on", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  const receipt = await session.message({ message: "Hello" });
  expect(receipt.status).toBe("sent");
  expect(harness.sessions.list()).toMatchObject([{ state: "running" }]);
  expect(harness.bridge.sentOf("user_message")).toMatchObject([
    { message_id: receipt.message_id, text: "Hello" },
  ]);
  await settled();
  expect(session.info()).toMatchObject({
    state: "running",
    title: "Hello",
    claude_session_id: "c1",
  });
});

test("messages wait while a turn is open, and go one at a time, each after the receipt of the one before", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  const first = await session.message({ message: "One" });
  const { bridge } = harness;
  bridge.say(TURN);
  await settled();
  const second = await session.message({ message: "Two" });
  const third = await session.message({ message: "Three" });
  expect(second).toMatchObject({ status: "queued", position: 1 });
  expect(third).toMatchObject({ status: "queued", position: 2 });
  bridge.say(TURN_END, {
    type: "message_status",
    message_id: first.message_id,
    status: "completed",
  });
  await settled();
  expect(bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["One", "Two"]);
  bridge.say({ type: "message_status", message_id: second.message_id, status: "completed" });
  await settled();
  expect(bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["One", "Two", "Three"]);
  expect(session.queue()).toEqual([]);
});

test("the first answer to a prompt wins, and the other is told who gave it", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  harness.bridge.say(TURN, PROMPT);
  await settled();
  expect(session.pending()).toMatchObject([{ type: "approval", requestId: "r1" }]);
  const first = session.answer("r1", { kind: "approval", decision: "allow" }, { name: "desk" });
  const second = session.answer("r1", { kind: "approval", decision: "deny" }, { name: "phone" });
  await first;
  const error = await second.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 409,
    code: "already_resolved",
    details: { outcome: "allow", by: "desk" },
  });
  expect(harness.bridge.sentOf("tool_approval")).toHaveLength(1);
  expect(session.pending()).toEqual([]);
});

test("an answer to a prompt that Claude withdraws meanwhile is refused with the reason", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  const { bridge } = harness;
  bridge.say(TURN, PROMPT);
  await settled();
  bridge.answers.set("tool_approval", () => {
    bridge.say({ type: "control_request_cancel", request_id: "r1", reason: "withdrawn" });
    return { type: "error", code: "stale_request", message: "too late", recoverable: true };
  });
  const answer = session.answer("r1", { kind: "approval", decision: "allow" }, {});
  expect(await answer.catch((cause: unknown) => cause)).toMatchObject({
    status: 409,
    code: "already_resolved",
    details: { outcome: "cancelled", reason: "withdrawn" },
  });
});

test("a session that was just created has in its journal that Claude has started", async () => {
  const session = await new SessionHarness().create();
  expect(typesOf(entriesOf(session))).toContain("process_started");
});

test("an interrupt gives back what waits, also while a prompt is open", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  harness.bridge.say(TURN, PROMPT);
  await settled();
  await session.message({ message: "Later" });
  const { queued } = await session.interrupt({ includeBackground: false });
  expect(queued).toEqual(["Later"]);
  expect(session.queue()).toEqual([]);
  expect(harness.bridge.sentOf("interrupt")).toHaveLength(1);
});

test("the state reduced from the whole journal is the snapshot", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  await session.message({ message: "One" });
  harness.bridge.say(TURN, PROMPT);
  await settled();
  await session.message({ message: "Two" });
  expect(session.snapshot().state).toEqual(latestEntries(reducedOf(session), 50));
  expect(typesOf(entriesOf(session))).toContain("approval-requested");
});

test("a host that was killed and starts again shows what was open as ended, and holds the queue", async () => {
  const harness = new SessionHarness();
  const { id } = await harness.create();
  const before = harness.sessions.get(id);
  const sent = await before.message({ message: "One" });
  harness.bridge.say(TURN, PROMPT);
  await settled();
  await before.message({ message: "Two" });
  harness.restart();
  const session = harness.sessions.get(id);
  const { state } = session.snapshot();
  expect(session.info()).toMatchObject({ state: "exited", pending: 0, queued: 1 });
  expect(state.isQueueHeld).toBe(true);
  expect(state.entries).toMatchObject([{ kind: "turn", status: "cancelled" }]);
  const told = entriesOf(session).map(({ type, data }) => ({ type, ...JSON.parse(data) }));
  expect(told).toContainEqual(
    expect.objectContaining({ type: "approval-cancelled", requestId: "r1", reason: "exited" }),
  );
  expect(told).toContainEqual(
    expect.objectContaining({
      type: "message_status",
      message_id: sent.message_id,
      status: "failed",
    }),
  );
});

describe("a conversation whose transcript is not found", () => {
  /** What Claude says once it was asked for its history. */
  function resume(...said: readonly Draft[]) {
    const harness = new SessionHarness();
    harness.start = [{ type: "process_started", pid: 7, args: [] }];
    harness.prepare = (bridge) => {
      bridge.answers.set("session_history", () => {
        setImmediate(() => bridge.say(...said));
        return { type: "error", code: "unknown_request", message: "none", recoverable: true };
      });
    };
    const wanted = { dir: "/work", place: "local", resume: "c9" };
    return { harness, created: harness.sessions.create(wanted) };
  }

  test("is refused, and leaves nothing, where Claude does not find it either", async () => {
    const failure = { code: "resume_failed", message: "no conversation found", recoverable: true };
    const { harness, created } = resume(
      { type: "session_state", state: "exited" },
      { type: "error", ...failure },
    );
    expect(await created.catch((error: unknown) => error)).toMatchObject({
      status: 409,
      code: "resume_failed",
    });
    expect(harness.sessions.list()).toEqual([]);
    expect(harness.bridge.isEnded).toBe(true);
  });

  test("goes on where Claude finds it", async () => {
    const { harness, created } = resume({ type: "session_state", state: "idle" });
    expect((await created).info().claude_session_id).toBe("c9");
    expect(harness.bridge.isEnded).toBe(false);
  });
});
