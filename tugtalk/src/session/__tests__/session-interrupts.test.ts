/** Interrupts by request: their results, the turns that they end, and turns that do not end in time (§10). */
import { expect, test } from "bun:test";
import {
  initLine,
  interruptedLine,
  promptLine,
  resultLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import {
  FIRST,
  working as inFirst,
  SECOND,
  THIRD,
} from "../../../testing/drivers/working-session.ts";
import type { Fields } from "../../base/json.ts";

const LIFECYCLE = { type: "command_lifecycle", state: "cancelled", session_id: "s", uuid: "u" };

/** A session whose Claude runs `FIRST` while `SECOND` is queued. */
async function working(init: Parameters<typeof startSession>[0] = {}): Promise<TestSession> {
  const session = await inFirst(init);
  session.message("second", { message_id: SECOND });
  return session;
}

const interrupt = (session: TestSession, fields: object = {}) =>
  session.interrupt({ id: "stop", ...fields });

test("an interrupt in a turn ends the turn as cancelled, and the next message is sent", async () => {
  const session = await working();
  interrupt(session);
  await session.answerTo("interrupt");
  const result = { subtype: "interrupt", ok: true, still_queued: [SECOND], in_reply_to: "stop" };
  expect(session.of("control_result")).toMatchObject([{ ...result, turn_id: session.turnId }]);
  expect(session.claude().signals).toEqual([]);
  await session.say(interruptedLine());
  expect(session.sentTexts).toEqual(["first", "second"]);
  expect(session.of("turn_complete")).toMatchObject([
    { result: "cancelled", subtype: "error_during_execution", message_ids: [FIRST] },
  ]);
});

test("an interrupt in a turn sent twice has two results and one end of the turn", async () => {
  const session = await working();
  for (const id of ["one", "two"]) {
    interrupt(session, { id });
    await session.answerTo("interrupt");
  }
  await session.say(interruptedLine());
  expect(session.of("control_result")).toMatchObject([
    { in_reply_to: "one" },
    { in_reply_to: "two" },
  ]);
  expect(session.of("turn_complete")).toHaveLength(1);
});

test("an interrupt in a turn with cancel_queued cancels queued messages", async () => {
  const session = await working();
  const emitted = await session.emittedBy(() => interrupt(session, { cancel_queued: true }));
  expect(emitted).toMatchObject([
    { type: "message_status", message_id: SECOND, status: "cancelled", reason: "interrupted" },
  ]);
  await session.answerTo("interrupt");
  expect(session.of("control_result")).toMatchObject([{ still_queued: [], cancelled: [SECOND] }]);
  await session.say(interruptedLine());
  expect(session.sentTexts).toEqual(["first"]);
});

test.each<[name: string, lines: readonly Fields[]]>([
  ["in the answer", []],
  // 2.1.330 prints this line before its answer.
  ["in command_lifecycle", [{ ...LIFECYCLE, command_uuid: SECOND }]],
])(
  "an interrupt in a turn with cancel_queued gives the reason of a steered message that Claude cancels %s",
  async (_name, lines) => {
    const session = await inFirst();
    session.message("second", { message_id: SECOND, delivery: "steer" });
    interrupt(session, { cancel_queued: true });
    await session.say(...lines);
    await session.answerTo("interrupt", { response: { still_queued: [], cancelled: [SECOND] } });
    await session.say(interruptedLine());
    expect(session.receipts(SECOND)).toEqual(["queued", "cancelled interrupted"]);
  },
);

test("an interrupt in a turn during a Stop hook ends the turn as cancelled, although Claude reports stop_hook_prevented", async () => {
  const session = await working();
  interrupt(session);
  await session.answerTo("interrupt");
  await session.say(resultLine({ terminal_reason: "stop_hook_prevented", result: "" }));
  expect(session.of("turn_complete")).toMatchObject([{ result: "cancelled" }]);
});

test.each([true, false])(
  "an interrupt in a turn does not cancel a turn that a Stop hook has ended with an answer (interrupted: %p)",
  async (isInterrupted) => {
    const session = await working();
    if (isInterrupted) interrupt(session);
    const prevented = { terminal_reason: "stop_hook_prevented", result: "Hello." };
    await session.say(resultLine(prevented));
    expect(session.of("turn_complete")).toMatchObject([{ result: "success" }]);
  },
);

test("an interrupt in a turn has no turn_id in its result when the turn ended before Claude's answer", async () => {
  const session = await working();
  interrupt(session);
  await session.say(interruptedLine());
  await session.answerTo("interrupt");
  expect(session.of("control_result")[0]).not.toHaveProperty("turn_id");
});

test("an interrupt in a turn fails before turn_cancelled when Claude exits without an answer", async () => {
  const session = await working();
  const turn_id = session.turnId;
  interrupt(session);
  await session.exit();
  expect(session.of("control_result", "turn_cancelled")).toMatchObject([
    { type: "control_result", ok: false, turn_id, in_reply_to: "stop" },
    { type: "turn_cancelled", turn_id },
  ]);
});

test("an interrupt in a turn that arrives after the turn has ended does not affect the next turn", async () => {
  const session = await working();
  interrupt(session);
  await session.say(resultLine());
  expect(session.of("turn_complete")).toMatchObject([{ result: "success" }]);
  session.clock.advance(10_000);
  await session.settle();
  expect(session.of("error")).toEqual([]);
  expect(session.claude().isInputClosed()).toBe(false);
});

test("an interrupt in a turn is not sent again when that has ended and Claude has the next message already", async () => {
  const session = await working();
  interrupt(session);
  await session.say(resultLine());
  await session.answerTo("interrupt", { response: { still_queued: [SECOND] } });
  await session.say(initLine());
  expect(session.requestsOf("interrupt")).toHaveLength(1);
});

test("an interrupt without a turn succeeds without a request to Claude and stops nothing", async () => {
  const session = await startSession();
  const written = await session.writtenBy(() => interrupt(session));
  expect(written).toEqual([]);
  expect(session.of("control_result")).toMatchObject([{ ok: true, still_queued: [] }]);
  session.clock.advance(60_000);
  await session.settle();
  expect(session.claude().isInputClosed()).toBe(false);
  expect(session.claude().signals).toEqual([]);
});

test("an interrupt without a turn is sent to Claude and answered by Claude with include_background", async () => {
  const session = await startSession();
  const written = await session.writtenBy(() => interrupt(session, { include_background: true }));
  expect(written).toMatchObject([{ request: { subtype: "interrupt" } }]);
  expect(session.of("control_result")).toEqual([]);
  await session.answerTo("interrupt", { response: { still_queued: [] } });
  expect(session.of("control_result")).toMatchObject([{ ok: true, still_queued: [] }]);
});

test("an interrupt without a turn is sent to Claude when Claude has a steered message that it has not started", async () => {
  const session = await working();
  session.message("third", { message_id: THIRD, delivery: "steer" });
  await session.say(resultLine());
  const written = await session.writtenBy(() => interrupt(session));
  expect(written).toMatchObject([{ request: { subtype: "interrupt" } }]);
});

test("an interrupt without a turn succeeds at once when no process is running", async () => {
  const session = await startSession();
  await session.exit();
  const emitted = await session.emittedBy(() => interrupt(session));
  expect(emitted).toMatchObject([{ type: "control_result", ok: true, in_reply_to: "stop" }]);
});

test("a turn that does not end after its interrupt ends with its process, and the queue continues in a process with --resume", async () => {
  const session = await working();
  interrupt(session);
  await session.answerTo("interrupt");
  session.clock.advance(9_999);
  await session.settle();
  expect(session.claude().isInputClosed()).toBe(false);
  session.clock.advance(1);
  await session.settle();
  expect(session.of("error")).toMatchObject([{ code: "claude_unresponsive", recoverable: true }]);
  expect(session.claude().isInputClosed()).toBe(true);
  session.clock.advance(2_000);
  expect(session.claude().signals).toEqual(["SIGTERM"]);
  session.clock.advance(2_000);
  expect(session.claude().signals).toEqual(["SIGTERM", "SIGKILL"]);

  await session.crash();
  expect(session.of("turn_cancelled")).toMatchObject([{ reason: "stalled" }]);
  expect(session.of("process_exit")).toMatchObject([
    { expected: true, will_restart: true, signal: "SIGKILL" },
  ]);
  expect(session.flags).toContain(`--resume=${session.id}`);
  await session.initialize();
  expect(session.sentTexts).toEqual(["second"]);
});

test("a turn that does not end after its interrupt has one deadline, counted from the first of several interrupts", async () => {
  const session = await working();
  for (const id of ["one", "two"]) {
    interrupt(session, { id });
    session.clock.advance(5_000);
  }
  await session.settle();
  expect(session.of("error")).toHaveLength(1);
  await session.exit();
  expect(session.starts).toHaveLength(2);
  await session.initialize();
});

test("a turn that does not end after its interrupt has the deadlines interrupt_timeout_ms and shutdown_grace_ms", async () => {
  const options = { interrupt_timeout_ms: 50, shutdown_grace_ms: 10 };
  const session = await working({ init: { options } });
  interrupt(session);
  session.clock.advance(50);
  await session.settle();
  expect(session.claude().isInputClosed()).toBe(true);
  session.clock.advance(10);
  expect(session.claude().signals).toEqual(["SIGTERM"]);
});

test("a turn that does not end after its interrupt closes its prompts with its process", async () => {
  const session = await working();
  await session.say(promptLine("r"));
  interrupt(session);
  session.clock.advance(10_000);
  await session.settle();
  await session.exit();
  expect(session.of("control_request_cancel")).toMatchObject([
    { request_id: "r", reason: "interrupted" },
  ]);
});

const interrupts = (session: TestSession) => session.requestsOf("interrupt");

const early = async (): Promise<TestSession> => {
  const session = await startSession();
  session.message("first", { message_id: FIRST });
  interrupt(session);
  await session.answerTo("interrupt", { response: { still_queued: [FIRST] } });
  return session;
};

test("an interrupt before its turn has started is sent again when the turn starts, since Claude has kept the message", async () => {
  const session = await early();
  expect(interrupts(session)).toHaveLength(1);
  await session.say(initLine());
  expect(interrupts(session)).toHaveLength(2);
  await session.say(interruptedLine());
  expect(session.of("turn_complete")).toMatchObject([{ result: "cancelled" }]);
});

test("an interrupt before its turn has started is not sent again to the next turn when its own ends without having started", async () => {
  const session = await early();
  session.message("second", { message_id: SECOND });
  await session.say(resultLine(), initLine());
  expect(interrupts(session)).toHaveLength(1);
  await session.say(resultLine());
  expect(session.of("turn_complete").at(-1)).toMatchObject({ result: "success" });
});

test("an interrupt before its turn has started has one result, and does not list its message as still queued", async () => {
  const session = await early();
  await session.say(initLine());
  await session.answerTo("interrupt");
  expect(session.of("control_result")).toMatchObject([{ ok: true, still_queued: [] }]);
});
