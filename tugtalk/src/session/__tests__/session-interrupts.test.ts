/** Interrupts by request: their results, the turns that they end, and turns that do not end in time (§10). */
import { describe, expect, test } from "bun:test";
import {
  initLine,
  interruptedLine,
  promptLine,
  resultLine,
} from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedBy,
  emittedOf,
  expectGuarantees,
  sayAsHost,
  writtenBy,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

const FIRST = "11111111-2222-4333-8444-000000000001";
const SECOND = "11111111-2222-4333-8444-000000000002";
const THIRD = "11111111-2222-4333-8444-000000000003";

const LIFECYCLE = { type: "command_lifecycle", state: "cancelled", session_id: "s", uuid: "u" };

/** Claude answers the interrupt and reports that it has cancelled `SECOND`. */
const answerCancelled = (session: TestSession) =>
  answerTo(session, "interrupt", { response: { still_queued: [], cancelled: [SECOND] } });

/** A session whose Claude runs `FIRST` while `SECOND` is queued. */
async function working(init: Parameters<typeof startSession>[0] = {}): Promise<TestSession> {
  const session = await startSession(init);
  sayAsHost(session, "first", { message_id: FIRST });
  sayAsHost(session, "second", { message_id: SECOND });
  await session.claude().say(initLine());
  return session;
}

const interrupt = (session: TestSession, fields: object = {}) =>
  session.session.handleInterrupt({ type: "interrupt", id: "stop", ...fields });

describe("interrupt in a turn", () => {
  test("an interrupt in a turn ends the turn as cancelled, and the next message is sent", async () => {
    const session = await working();
    interrupt(session);
    await answerTo(session, "interrupt");
    const [started] = emittedOf(session, "turn_started");
    expect(emittedOf(session, "control_result")).toMatchObject([
      {
        subtype: "interrupt",
        ok: true,
        still_queued: [SECOND],
        turn_id: started?.["turn_id"],
        in_reply_to: "stop",
      },
    ]);
    const written = await writtenBy(session, () => session.claude().say(interruptedLine()));
    expect(written).toMatchObject([{ type: "user", uuid: SECOND }]);
    expect(emittedOf(session, "turn_complete")).toMatchObject([
      { result: "cancelled", message_ids: [FIRST] },
    ]);
    expectGuarantees(session);
  });

  test("an interrupt in a turn sent twice has two results and one end of the turn", async () => {
    const session = await working();
    interrupt(session, { id: "one" });
    await answerTo(session, "interrupt");
    interrupt(session, { id: "two" });
    await answerTo(session, "interrupt");
    await session.claude().say(interruptedLine());
    expect(emittedOf(session, "control_result").map(({ in_reply_to }) => in_reply_to)).toEqual([
      "one",
      "two",
    ]);
    expect(emittedOf(session, "turn_complete")).toHaveLength(1);
    expectGuarantees(session);
  });

  test("an interrupt in a turn with cancel_queued cancels queued messages", async () => {
    const session = await working();
    const emitted = await emittedBy(session, () => interrupt(session, { cancel_queued: true }));
    expect(emitted).toMatchObject([
      { type: "message_status", message_id: SECOND, status: "cancelled", reason: "interrupted" },
    ]);
    await answerTo(session, "interrupt");
    expect(emittedOf(session, "control_result")).toMatchObject([
      { still_queued: [], cancelled: [SECOND] },
    ]);
    await session.claude().say(interruptedLine());
    expect(session.claude().writes.filter(({ type }) => type === "user")).toHaveLength(1);
    expectGuarantees(session);
  });

  const DROPS = [
    ["in the answer", (session: TestSession) => answerCancelled(session)],
    // 2.1.330 prints this line before its answer.
    [
      "in command_lifecycle",
      async (session: TestSession) => {
        await session.claude().say({ ...LIFECYCLE, command_uuid: SECOND });
        await answerCancelled(session);
      },
    ],
  ] as const;
  test.each(DROPS)(
    "an interrupt in a turn with cancel_queued gives the reason of a steered message that Claude cancels %s",
    async (_name, drop) => {
      const session = await startSession();
      sayAsHost(session, "first", { message_id: FIRST });
      await session.claude().say(initLine());
      sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
      interrupt(session, { cancel_queued: true });
      await drop(session);
      await session.claude().say(interruptedLine());
      const receipts = emittedOf(session, "message_status").filter(
        ({ message_id }) => message_id === SECOND,
      );
      expect(receipts.map(({ status, reason }) => [status, reason])).toEqual([
        ["queued", undefined],
        ["cancelled", "interrupted"],
      ]);
      expectGuarantees(session);
    },
  );

  test("an interrupt in a turn during a Stop hook ends the turn as cancelled, although Claude reports stop_hook_prevented", async () => {
    const session = await working();
    interrupt(session);
    await answerTo(session, "interrupt");
    await session.claude().say(resultLine({ terminal_reason: "stop_hook_prevented", result: "" }));
    expect(emittedOf(session, "turn_complete")).toMatchObject([{ result: "cancelled" }]);
    expectGuarantees(session);
  });

  test.each([true, false])(
    "an interrupt in a turn does not cancel a turn that a Stop hook has ended with an answer (interrupted: %p)",
    async (isInterrupted) => {
      const session = await working();
      if (isInterrupted) interrupt(session);
      const prevented = { terminal_reason: "stop_hook_prevented", result: "Hello." };
      await session.claude().say(resultLine(prevented));
      expect(emittedOf(session, "turn_complete")).toMatchObject([{ result: "success" }]);
    },
  );

  test("an interrupt in a turn has no turn_id in its result when the turn ended before Claude's answer", async () => {
    const session = await working();
    interrupt(session);
    await session.claude().say(interruptedLine());
    await answerTo(session, "interrupt");
    expect(emittedOf(session, "control_result")[0]).not.toHaveProperty("turn_id");
    expectGuarantees(session);
  });

  test("an interrupt in a turn fails before turn_cancelled when Claude exits without an answer", async () => {
    const session = await working();
    const [turn] = emittedOf(session, "turn_started");
    interrupt(session);
    await session.claude().exit();
    expect(emittedOf(session, "control_result", "turn_cancelled")).toMatchObject([
      { type: "control_result", ok: false, turn_id: turn?.["turn_id"], in_reply_to: "stop" },
      { type: "turn_cancelled", turn_id: turn?.["turn_id"] },
    ]);
    expectGuarantees(session);
  });

  test("an interrupt in a turn that arrives after the turn has ended does not affect the next turn", async () => {
    const session = await working();
    interrupt(session);
    await session.claude().say(resultLine());
    expect(emittedOf(session, "turn_complete")).toMatchObject([{ result: "success" }]);
    session.clock.advance(10_000);
    await session.settle();
    expect(emittedOf(session, "error")).toEqual([]);
    expect(session.claude().isInputClosed()).toBe(false);
    expectGuarantees(session);
  });
});

describe("interrupt without a turn", () => {
  test("an interrupt without a turn succeeds without a request to Claude and stops nothing", async () => {
    const session = await startSession();
    const written = await writtenBy(session, () => interrupt(session));
    expect(written).toEqual([]);
    expect(emittedOf(session, "control_result")).toMatchObject([{ ok: true, still_queued: [] }]);
    session.clock.advance(60_000);
    await session.settle();
    expect(session.claude().isInputClosed()).toBe(false);
    expect(session.claude().signals).toEqual([]);
  });

  test("an interrupt without a turn is sent to Claude and answered by Claude with include_background", async () => {
    const session = await startSession();
    const written = await writtenBy(session, () =>
      interrupt(session, { include_background: true }),
    );
    expect(written).toMatchObject([{ request: { subtype: "interrupt" } }]);
    expect(emittedOf(session, "control_result")).toEqual([]);
    await answerTo(session, "interrupt", { response: { still_queued: [] } });
    expect(emittedOf(session, "control_result")).toMatchObject([{ ok: true, still_queued: [] }]);
    expectGuarantees(session);
  });

  test("an interrupt without a turn is sent to Claude when Claude has a steered message that it has not started", async () => {
    const session = await working();
    sayAsHost(session, "third", { message_id: THIRD, delivery: "steer" });
    await session.claude().say(resultLine());
    const written = await writtenBy(session, () => interrupt(session));
    expect(written).toMatchObject([{ request: { subtype: "interrupt" } }]);
  });

  test("an interrupt without a turn succeeds at once when no process is running", async () => {
    const session = await startSession();
    await session.claude().exit();
    const emitted = await emittedBy(session, () => interrupt(session));
    expect(emitted).toMatchObject([{ type: "control_result", ok: true, in_reply_to: "stop" }]);
  });
});

describe("turn that does not end after its interrupt", () => {
  test("a turn that does not end after its interrupt ends with its process, and the queue continues in a process with --resume", async () => {
    const session = await working();
    const [turn] = emittedOf(session, "turn_started");
    interrupt(session);
    await answerTo(session, "interrupt");
    session.clock.advance(9_999);
    await session.settle();
    expect(session.claude().isInputClosed()).toBe(false);
    session.clock.advance(1);
    await session.settle();
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "claude_unresponsive", recoverable: true },
    ]);
    expect(session.claude().isInputClosed()).toBe(true);
    session.clock.advance(2_000);
    expect(session.claude().signals).toEqual(["SIGTERM"]);
    session.clock.advance(2_000);
    expect(session.claude().signals).toEqual(["SIGTERM", "SIGKILL"]);

    await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
    await session.settle();
    expect(emittedOf(session, "turn_cancelled")).toMatchObject([
      { turn_id: turn?.["turn_id"], reason: "stalled" },
    ]);
    expect(emittedOf(session, "process_exit")).toMatchObject([
      { expected: true, will_restart: true, signal: "SIGKILL" },
    ]);
    expect(session.starts).toHaveLength(2);
    expect(session.starts[1]).toContain(`--resume=${session.session.sessionId}`);
    await session.initialize();
    expect(session.claude().writes.at(-1)).toMatchObject({ type: "user", uuid: SECOND });
    expectGuarantees(session);
  });

  test("a turn that does not end after its interrupt has one deadline, counted from the first of several interrupts", async () => {
    const session = await working();
    for (const id of ["one", "two"]) {
      interrupt(session, { id });
      session.clock.advance(5_000);
    }
    await session.settle();
    expect(emittedOf(session, "error")).toHaveLength(1);
    await session.claude().exit();
    await session.settle();
    expect(session.starts).toHaveLength(2);
    await session.initialize();
    expectGuarantees(session);
  });

  test("a turn that does not end after its interrupt has the deadlines interrupt_timeout_ms and shutdown_grace_ms", async () => {
    const session = await working({
      init: { options: { interrupt_timeout_ms: 50, shutdown_grace_ms: 10 } },
    });
    interrupt(session);
    session.clock.advance(50);
    await session.settle();
    expect(session.claude().isInputClosed()).toBe(true);
    session.clock.advance(10);
    expect(session.claude().signals).toEqual(["SIGTERM"]);
  });

  test("a turn that does not end after its interrupt closes its prompts with its process", async () => {
    const session = await working();
    await session.claude().say(promptLine("r"));
    interrupt(session);
    session.clock.advance(10_000);
    await session.settle();
    await session.claude().exit();
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([
      { request_id: "r", reason: "interrupted" },
    ]);
    expectGuarantees(session);
  });
});

describe("interrupt before its turn has started", () => {
  const interrupts = (session: TestSession) =>
    session
      .claude()
      .writes.filter(
        ({ request }) =>
          (request as { subtype?: unknown } | undefined)?.["subtype"] === "interrupt",
      );

  const early = async (): Promise<TestSession> => {
    const session = await startSession();
    sayAsHost(session, "first", { message_id: FIRST });
    interrupt(session);
    await answerTo(session, "interrupt", { response: { still_queued: [FIRST] } });
    return session;
  };

  test("an interrupt before its turn has started is sent again when the turn starts, since Claude has kept the message", async () => {
    const session = await early();
    expect(interrupts(session)).toHaveLength(1);
    await session.claude().say(initLine());
    expect(interrupts(session)).toHaveLength(2);
    await session.claude().say(interruptedLine());
    expect(emittedOf(session, "turn_complete")).toMatchObject([{ result: "cancelled" }]);
    expectGuarantees(session);
  });

  test("an interrupt before its turn has started is not sent again to the next turn when its own ends without having started", async () => {
    const session = await early();
    sayAsHost(session, "second", { message_id: SECOND });
    await session.claude().say(resultLine());
    await session.claude().say(initLine());
    expect(interrupts(session)).toHaveLength(1);
    await session.claude().say(resultLine());
    expect(emittedOf(session, "turn_complete").at(-1)).toMatchObject({ result: "success" });
    expectGuarantees(session);
  });

  test("an interrupt before its turn has started has one result, and does not list its message as still queued", async () => {
    const session = await early();
    await session.claude().say(initLine());
    await answerTo(session, "interrupt");
    expect(emittedOf(session, "control_result")).toMatchObject([{ ok: true, still_queued: [] }]);
  });
});
