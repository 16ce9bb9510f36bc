/** Messages that Claude has not started when its process is ended: Claude would run them after the end of stdin (§4c). */
import { describe, expect, test } from "bun:test";
import { initLine, interruptedLine, resultLine } from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedOf,
  expectGuarantees,
  sayAsHost,
  writtenBy,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, say, working } from "../../../testing/drivers/working-session.ts";

const SECOND = "11111111-2222-4333-8444-000000000002";

/** In the shape of 2.1.197; the ids are made up. */
const TASK_STARTED = {
  type: "system",
  subtype: "task_started",
  task_id: "t1",
  tool_use_id: "call",
  is_backgrounded: true,
};

type Leave = (session: TestSession) => unknown;

const LEAVES: readonly (readonly [string, string, Leave])[] = [
  ["a session_command", "session_command", ({ session }) => session.handleNewSession()],
  ["a shutdown", "shutdown", ({ session }) => void session.shutdown(false)],
];

/** A Claude that runs `FIRST` and has `SECOND` in its queue. */
async function steered(claude_code_version: string): Promise<TestSession> {
  const session = await working({}, initLine({ claude_code_version }));
  sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
  return session;
}

const receiptOf = (session: TestSession, id: string) =>
  emittedOf(session, "message_status").findLast(({ message_id }) => message_id === id);

describe.each(LEAVES)("%s", (_name, reason, leave) => {
  test("the end of a session asks Claude to cancel a steered message before it interrupts, and emits the reason", async () => {
    const session = await steered("2.1.197");
    const written = await writtenBy(session, () => leave(session));
    expect(written).toMatchObject([
      { request: { subtype: "cancel_async_message", message_uuid: SECOND } },
      { request: { subtype: "interrupt" } },
    ]);
    expect(session.claude().isInputClosed()).toBe(true);
    expect(session.claude().signals).toEqual([]);
    await answerTo(session, "cancel_async_message", { response: { cancelled: true } });
    expect(receiptOf(session, SECOND)).toMatchObject({ status: "cancelled", reason });
    await session.claude().say(interruptedLine());
    await session.claude().exit();
    expect(receiptOf(session, FIRST)).toMatchObject({ status: "completed" });
  });

  test("the end of a session fails a steered message that Claude does not cancel", async () => {
    const session = await steered("2.1.197");
    await leave(session);
    await session.settle();
    await answerTo(session, "cancel_async_message", { response: { cancelled: false } });
    await session.claude().exit();
    expect(receiptOf(session, SECOND)).toMatchObject({ status: "failed" });
    expect(receiptOf(session, SECOND)).not.toHaveProperty("reason");
  });

  test("the end of a session sends a signal at once when the CLI cannot cancel a steered message", async () => {
    const session = await steered("2.1.38");
    const written = await writtenBy(session, () => leave(session));
    expect(written).toEqual([]);
    expect(session.claude().isInputClosed()).toBe(true);
    expect(session.claude().signals).toEqual(["SIGTERM"]);
    session.clock.advance(2_000);
    expect(session.claude().signals).toEqual(["SIGTERM", "SIGKILL"]);
    await session.claude().exit();
    expect(emittedOf(session, "turn_cancelled")).toMatchObject([{ reason }]);
    expect(receiptOf(session, SECOND)).toMatchObject({ status: "failed" });
  });

  test("the end of a session interrupts background work without an open turn, since 2.1.197 would start one at the end of its stdin", async () => {
    const session = await working();
    await say(session, TASK_STARTED, resultLine());
    expect(await writtenBy(session, () => leave(session))).toMatchObject([
      { request: { subtype: "interrupt" } },
    ]);
    expect(session.claude().isInputClosed()).toBe(true);
    expect(session.claude().signals).toEqual([]);
  });

  test("the end of a session sends no interrupt without an open turn and background work", async () => {
    const session = await working();
    await say(session, { ...TASK_STARTED, is_backgrounded: false }, resultLine());
    expect(await writtenBy(session, () => leave(session))).toEqual([]);
    expect(session.claude().isInputClosed()).toBe(true);
  });

  test("the end of a session asks Claude to cancel the message of a turn that Claude has not started", async () => {
    const session = await startSession();
    sayAsHost(session, "first", { message_id: FIRST });
    await leave(session);
    await session.settle();
    await answerTo(session, "cancel_async_message", { response: { cancelled: true } });
    expect(emittedOf(session, "turn_cancelled")).toMatchObject([{ message_ids: [FIRST] }]);
    expect(receiptOf(session, FIRST)).toMatchObject({ status: "cancelled", reason });
    await session.claude().exit();
    expectGuarantees(session, reason === "shutdown");
  });

  test("the end of a session cancels no message when Claude has started all its messages", async () => {
    const session = await working();
    const written = await writtenBy(session, () => leave(session));
    expect(written).toMatchObject([{ request: { subtype: "interrupt" } }]);
  });
});
