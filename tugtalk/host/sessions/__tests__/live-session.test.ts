/** A session of the host with a scripted bridge: the frames for clients, and the messages to the bridge. */
import { describe, expect, test } from "bun:test";
import { ApiError } from "../../api/api-error.ts";
import { approval, prompt, turnComplete, turnStarted } from "./support/bridge-words.ts";
import type { Draft } from "./support/fake-bridge.ts";
import {
  entriesOf,
  openSession,
  SessionHarness,
  settled,
  typesOf,
} from "./support/session-harness.ts";

test("a message to an idle session is sent, its bridge has it, and the session runs from its receipt on", async () => {
  const { harness, session } = await openSession();
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

test("the first answer to a prompt wins, and the other is told who gave it", async () => {
  const { harness, session } = await openSession();
  await harness.say(turnStarted(), prompt("r1", "t1"));
  expect(await session.prompts()).toMatchObject([{ kind: "permission", requestId: "r1" }]);
  const first = session.answer(approval("r1", "allow"), { name: "desk" });
  const second = session.answer(approval("r1", "deny"), { name: "phone" });
  await first;
  const error = await second.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 409,
    code: "already_resolved",
    details: { outcome: "allow", by: "desk" },
  });
  expect(harness.bridge.sentOf("tool_approval")).toHaveLength(1);
  expect(await session.prompts()).toEqual([]);
});

test("an answer to a prompt that Claude withdraws meanwhile is refused with the reason", async () => {
  const { harness, session } = await openSession();
  const { bridge } = harness;
  bridge.say(turnStarted(), prompt("r1", "t1"));
  await settled();
  bridge.answers.set("tool_approval", () => {
    bridge.say({ type: "control_request_cancel", request_id: "r1", reason: "withdrawn" });
    return { type: "error", code: "stale_request", message: "too late", recoverable: true };
  });
  const answer = session.answer(approval("r1", "allow"), {});
  expect(await answer.catch((cause: unknown) => cause)).toMatchObject({
    status: 409,
    code: "already_resolved",
    details: { outcome: "cancelled", reason: "withdrawn" },
  });
});

test("a session that was just created has in its journal that Claude has started", async () => {
  const session = await (await SessionHarness.open()).create();
  expect(typesOf(await entriesOf(session))).toContain("process_started");
});

describe("a conversation whose transcript is not found", () => {
  /** Claude's answer to a request for its history. */
  async function resume(...said: readonly Draft[]) {
    const harness = await SessionHarness.open();
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
    const { harness, created } = await resume(
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
    const { harness, created } = await resume({ type: "session_state", state: "idle" });
    expect((await created).info().claude_session_id).toBe("c9");
    expect(harness.bridge.isEnded).toBe(false);
  });
});

test("only events in a session change the time of its last change, and the mere end of Claude does not", async () => {
  const harness = await SessionHarness.open();
  harness.now = () => 1_000;
  const session = await harness.create();
  harness.now = () => 2_000;
  await session.message({ message: "One" });
  await harness.say(turnStarted(), turnComplete());
  harness.now = () => 3_000;
  await harness.restart();
  expect(harness.sessions.list()).toMatchObject([{ state: "exited", updated_at: 2_000 }]);
});
