/** Messages that Claude has not started when its process is ended: Claude would run them after the end of stdin (§4c). */
import { describe, expect, test } from "bun:test";
import {
  initLine,
  interruptedLine,
  resultLine,
  taskLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, SECOND, working } from "../../../testing/drivers/working-session.ts";

/** In the shape of 2.1.197; the ids are made up. */
const agent = (is_backgrounded: boolean) =>
  taskLine("task_started", "t1", "call", { is_backgrounded });

/** A Claude that runs `FIRST` and has `SECOND` in its queue. */
async function steered(claude_code_version: string): Promise<TestSession> {
  const session = await working({}, initLine({ claude_code_version }));
  session.message("second", { message_id: SECOND, delivery: "steer" });
  return session;
}

const lastReceipt = (session: TestSession, id: string) => session.receipts(id).at(-1);

describe.each<[reason: string, leave: (session: TestSession) => unknown]>([
  ["session_command", (session) => session.command("new")],
  ["shutdown", ({ session }) => void session.shutdown(false)],
])("%s", (reason, leave) => {
  test("the end of a session asks Claude to cancel a steered message before it interrupts, and emits the reason", async () => {
    const session = await steered("2.1.197");
    const written = await session.writtenBy(() => leave(session));
    expect(written).toMatchObject([
      { request: { subtype: "cancel_async_message", message_uuid: SECOND } },
      { request: { subtype: "interrupt" } },
    ]);
    expect(session.claude().isInputClosed()).toBe(true);
    expect(session.claude().signals).toEqual([]);
    await session.answerTo("cancel_async_message", { response: { cancelled: true } });
    expect(lastReceipt(session, SECOND)).toBe(`cancelled ${reason}`);
    await session.say(interruptedLine());
    await session.exit();
    expect(lastReceipt(session, FIRST)).toBe("completed");
  });

  test("the end of a session fails a steered message that Claude does not cancel", async () => {
    const session = await steered("2.1.197");
    await leave(session);
    await session.settle();
    await session.answerTo("cancel_async_message", { response: { cancelled: false } });
    await session.exit();
    expect(lastReceipt(session, SECOND)).toBe("failed");
  });

  test("the end of a session sends a signal at once when the CLI cannot cancel a steered message", async () => {
    const session = await steered("2.1.38");
    const written = await session.writtenBy(() => leave(session));
    expect(written).toEqual([]);
    expect(session.claude().isInputClosed()).toBe(true);
    expect(session.claude().signals).toEqual(["SIGTERM"]);
    session.clock.advance(2_000);
    expect(session.claude().signals).toEqual(["SIGTERM", "SIGKILL"]);
    await session.exit();
    expect(session.of("turn_cancelled")).toMatchObject([{ reason }]);
    expect(lastReceipt(session, SECOND)).toBe("failed");
  });

  test("the end of a session interrupts background work without an open turn, since 2.1.197 would start one at the end of its stdin", async () => {
    const session = await working();
    await session.say(agent(true), resultLine());
    expect(await session.writtenBy(() => leave(session))).toMatchObject([
      { request: { subtype: "interrupt" } },
    ]);
    expect(session.claude().isInputClosed()).toBe(true);
    expect(session.claude().signals).toEqual([]);
  });

  test("the end of a session sends no interrupt without an open turn and background work", async () => {
    const session = await working();
    await session.say(agent(false), resultLine());
    expect(await session.writtenBy(() => leave(session))).toEqual([]);
    expect(session.claude().isInputClosed()).toBe(true);
  });

  test("the end of a session asks Claude to cancel the message of a turn that Claude has not started", async () => {
    const session = await startSession();
    session.message("first", { message_id: FIRST });
    await leave(session);
    await session.settle();
    await session.answerTo("cancel_async_message", { response: { cancelled: true } });
    expect(session.of("turn_cancelled")).toMatchObject([{ message_ids: [FIRST] }]);
    expect(lastReceipt(session, FIRST)).toBe(`cancelled ${reason}`);
    await session.exit();
  });

  test("the end of a session cancels no message when Claude has started all its messages", async () => {
    const session = await working();
    const written = await session.writtenBy(() => leave(session));
    expect(written).toMatchObject([{ request: { subtype: "interrupt" } }]);
  });
});
