/** Host messages while Claude is being stopped, and after a failed start. */
import { describe, expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import { initLine, promptLine, resultLine } from "../../../testing/drivers/claude-lines.ts";
import {
  emittedBy,
  emittedOf,
  expectGuarantees,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

const SESSION = "11111111-2222-4333-8444-00000000000a";

describe("session that is replaced by another one", () => {
  const leaving = async () => {
    const session = await startSession();
    sayAsHost(session, "first");
    await session.claude().say(initLine());
    await session.claude().say(promptLine("p"));
    session.session.handleNewSession();
    await session.settle();
    return session;
  };

  test("a session that is replaced by another one closes its prompts, and a later answer is stale", async () => {
    const session = await leaving();
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ request_id: "p" }]);
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "running" });
    const emitted = await emittedBy(session, () =>
      session.session.handleToolApproval({
        type: "tool_approval",
        request_id: "p",
        decision: "allow",
      }),
    );
    expect(emitted).toMatchObject([{ type: "error", code: "stale_request" }]);
  });

  test("a session that is replaced by another one does not forward new prompts, since no answer could reach Claude", async () => {
    const session = await leaving();
    expect(await emittedBy(session, () => session.claude().say(promptLine("q")))).toEqual([]);
    const emitted = await emittedBy(session, () =>
      session.session.handleToolApproval({
        type: "tool_approval",
        request_id: "q",
        decision: "allow",
      }),
    );
    expect(emitted).toMatchObject([{ type: "error", code: "unknown_request" }]);
  });

  test("a session that is replaced by another one does not pass a mode that the ending process reports to the next process", async () => {
    const session = await leaving();
    session.session.handlePermissionMode({ type: "permission_mode", mode: "plan" });
    await session.claude().say(initLine({ permissionMode: "default", model: "claude-other" }));
    await session.claude().exit();
    await session.settle();
    expect(session.starts.at(-1)).toContain("--permission-mode=plan");
    expect(emittedOf(session, "permission_mode_changed")).toMatchObject([
      { mode: "plan", source: "host" },
    ]);
  });

  test("a session that is replaced by another one passes a mode and a model that the host sets to the next process", async () => {
    const session = await leaving();
    session.session.handlePermissionMode({ type: "permission_mode", mode: "plan" });
    session.session.handleModelChange({ type: "model_change", model: "opus" });
    await session.claude().exit();
    await session.settle();
    expect(session.starts.at(-1)).toContain("--permission-mode=plan");
    expect(session.starts.at(-1)).toContain("--model=opus");
    expectGuarantees(session);
  });
});

test("a switch away from a conversation that is still being resumed is no failed start", async () => {
  const session = await startSession({
    init: { session: { mode: "resume", session_id: SESSION } },
    isReady: false,
  });
  session.session.handleNewSession();
  await session.settle();
  const stderrTail = `No conversation found with session ID: ${SESSION}`;
  await session.claude().exit({ exitCode: 1, stderrTail });
  await session.settle();
  expect(emittedOf(session, "error")).toEqual([]);
  expect(session.starts).toHaveLength(2);
  await session.initialize();
  expect(emittedOf(session, "session_init")).toMatchObject([{ mode: "new" }]);
  expectGuarantees(session);
});

describe("conversation that could not be resumed", () => {
  test("a conversation that could not be resumed rejects messages until another conversation is chosen", async () => {
    const session = await startSession({ init: { session: { mode: "continue" } }, isReady: false });
    expect(emittedOf(session, "error")).toMatchObject([{ code: "resume_failed" }]);
    const emitted = await emittedBy(session, () => sayAsHost(session, "hello"));
    expect(emitted).toMatchObject([
      { type: "error", code: "resume_failed" },
      { type: "message_status", status: "rejected" },
    ]);
    expect(session.claudes).toHaveLength(0);
    session.session.handleSessionCommand({
      type: "session_command",
      command: "resume",
      session_id: SESSION,
    });
    await session.settle();
    expect(session.starts.at(-1)).toContain(`--resume=${SESSION}`);
  });
});

describe("new conversation under an id that is in use", () => {
  test("a new conversation under an id that is in use is reported once and not retried, and another conversation can be chosen", async () => {
    const session = await startSession();
    session.session.handleSessionCommand({
      type: "session_command",
      command: "new",
      session_id: SESSION,
    });
    await session.claude().exit();
    await session.settle();
    sayAsHost(session, "waits");
    const stderrTail = `Error: Session ID ${SESSION} is already in use.\n`;
    await session.claude().exit({ exitCode: 1, stderrTail });
    await session.settle();
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "claude_start_failed", reason: "id_in_use", recoverable: true },
    ]);
    expect(emittedOf(session, "message_status").at(-1)).toMatchObject({ status: "cancelled" });
    expect(session.starts).toHaveLength(2);
    expect(session.isFatal()).toBe(false);
    expect(emittedOf(session, "process_exit").at(-1)).toMatchObject({ will_restart: false });
    sayAsHost(session, "refused");
    await session.settle();
    expect(session.starts).toHaveLength(2);
    expect(emittedOf(session, "error").slice(1)).toMatchObject([{ code: "resume_failed" }]);

    session.session.handleNewSession();
    await session.settle();
    await session.initialize();
    expect(emittedOf(session, "session_init").at(-1)).toMatchObject({ mode: "new" });
    expectGuarantees(session);
  });
});

describe("background task that never ends", () => {
  const withTask = async () => {
    const session = await startSession();
    sayAsHost(session, "first");
    for (const line of [initLine(), captured("background tasks"), resultLine()])
      await session.claude().say(line);
    return session;
  };

  test("a background task that never ends keeps Claude's stdin open after the turn without a limit", async () => {
    const session = await withTask();
    session.clock.advance(24 * 60 * 60 * 1000);
    await session.settle();
    expect(session.claude().isInputClosed()).toBe(false);
    expect(session.claude().signals).toEqual([]);
    expect(emittedOf(session, "error")).toEqual([]);
  });

  test("a background task that never ends does not prevent a shutdown", async () => {
    const session = await withTask();
    const gone = session.session.shutdown(true, true);
    await session.settle();
    expect(session.claude().isInputClosed()).toBe(true);
    await session.claude().exit();
    await gone;
    expectGuarantees(session, true);
  });
});

describe("draining shutdown", () => {
  const WAITING = ["second", "third", "fourth", "fifth"];

  /** A session in its first turn, with four queued messages. */
  const draining = async () => {
    const session = await startSession();
    for (const text of ["first", ...WAITING]) sayAsHost(session, text);
    await session.claude().say(initLine());
    const gone = session.session.shutdown(true, true);
    await session.settle();
    return { session, gone };
  };
  const crash = async (session: TestSession) => {
    await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
    await session.settle();
  };
  const finalStatuses = (session: TestSession) =>
    emittedOf(session, "message_status")
      .map(({ status }) => status)
      .filter((status) => status !== "queued" && status !== "started");

  test("a draining shutdown sends queued messages to the next process after a crash", async () => {
    const { session, gone } = await draining();
    await crash(session);
    expect(emittedOf(session, "process_exit")).toMatchObject([{ will_restart: true }]);
    await session.initialize();
    for (const _message of WAITING) {
      await session.claude().say(initLine());
      await session.claude().say(resultLine());
    }
    await session.claude().exit();
    await gone;
    expect(finalStatuses(session)).toEqual(["failed", ...WAITING.map(() => "completed")]);
    expect(session.starts).toHaveLength(2);
    expectGuarantees(session, true);
  });

  test("a draining shutdown fails only the message of a stalled turn, and sends the next one", async () => {
    const { session } = await draining();
    session.clock.advance(300_000);
    session.clock.advance(10_000);
    await session.settle();
    await crash(session);
    expect(finalStatuses(session)).toEqual(["failed"]);
    await session.initialize();
    expect(session.claude().writes.at(-1)).toMatchObject({ type: "user" });
    expectGuarantees(session);
  });

  test("a draining shutdown sends a message that is queued for a new conversation to that conversation", async () => {
    const session = await startSession();
    session.session.handleNewSession();
    sayAsHost(session, "first");
    const gone = session.session.shutdown(true, true);
    await session.settle();
    await session.claude().exit();
    await session.settle();
    await session.initialize();
    for (const line of [initLine(), resultLine()]) await session.claude().say(line);
    await session.claude().exit();
    await gone;
    expect(finalStatuses(session)).toEqual(["completed"]);
    expectGuarantees(session, true);
  });

  test("a draining shutdown starts no new conversation without a message for it", async () => {
    const session = await startSession();
    session.session.handleNewSession();
    const gone = session.session.shutdown(true, true);
    await session.settle();
    await session.claude().exit();
    await gone;
    expect(session.starts).toHaveLength(1);
    expectGuarantees(session, true);
  });

  test("a draining shutdown ends after a crash with an empty queue", async () => {
    const session = await startSession();
    sayAsHost(session, "first");
    await session.claude().say(initLine());
    const gone = session.session.shutdown(true, true);
    await crash(session);
    await gone;
    expect(emittedOf(session, "process_exit")).toMatchObject([{ will_restart: false }]);
    expectGuarantees(session, true);
  });

  test("a draining shutdown ends and cancels the remaining messages when no restart is left", async () => {
    const { session, gone } = await draining();
    await crash(session);
    for (let restart = 0; restart < 3; restart += 1) {
      await session.initialize();
      await crash(session);
    }
    await gone;
    expect(session.starts).toHaveLength(4);
    expect(emittedOf(session, "process_exit").map(({ will_restart }) => will_restart)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(finalStatuses(session)).toEqual(["failed", "failed", "failed", "failed", "cancelled"]);
    expect(emittedOf(session, "error")).toMatchObject([{ code: "claude_exited" }]);
    expectGuarantees(session, true);
  });

  test("a draining shutdown ends with an error and cancels the remaining messages when the next process fails to start", async () => {
    const { session, gone } = await draining();
    await crash(session);
    await session.claude().exit({ exitCode: 1, stderrTail: "out of memory\n" });
    await gone;
    expect(session.starts).toHaveLength(2);
    expect(emittedOf(session, "process_exit").at(-1)).toMatchObject({ will_restart: false });
    expect(emittedOf(session, "error")).toMatchObject([{ code: "claude_start_failed" }]);
    expect(finalStatuses(session)).toEqual(["failed", ...WAITING.map(() => "cancelled")]);
    expectGuarantees(session, true);
  });
});

describe("result line with invalid fields", () => {
  const ODD = [
    { usage: null },
    { modelUsage: null },
    { errors: null },
    { permission_denials: [{}] },
    { total_cost_usd: "much" },
    { is_error: "no" },
    { num_turns: {} },
    { subtype: 5 },
  ];
  test.each(ODD)("a result line with invalid fields with %j ends its turn", async (fields) => {
    const session = await startSession();
    sayAsHost(session, "first");
    await session.claude().say(initLine());
    await session.claude().say(resultLine(fields));
    expect(emittedOf(session, "turn_complete", "turn_cancelled")).toHaveLength(1);
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "idle" });
    expectGuarantees(session);
  });
});

describe("turn whose result is lost", () => {
  test("a turn whose result is lost closes its prompts and is cancelled with reason line_lost", async () => {
    const session = await startSession();
    sayAsHost(session, "first");
    await session.claude().say(initLine());
    await session.claude().say(promptLine("p"));
    await session.claude().say(resultLine({ subtype: 5 }));
    expect(emittedOf(session, "control_request_cancel")).toMatchObject([{ request_id: "p" }]);
    expect(emittedOf(session, "turn_cancelled")).toMatchObject([{ reason: "line_lost" }]);
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "idle" });
    expectGuarantees(session);
  });
});

describe("reserved field names", () => {
  const OURS = { seq: 77, ipc_version: 9, in_reply_to: "zz", turn_id: "evil" };
  const LINES = [
    initLine(OURS),
    promptLine("p", OURS),
    { type: "system", subtype: "notification", key: "k", text: "t", priority: "low", ...OURS },
    { type: "system", subtype: "compact_boundary", session_id: "s", compact_metadata: OURS },
  ];
  test.each(LINES)("reserved field names are not copied from the line %j", async (line) => {
    const session = await startSession();
    sayAsHost(session, "first");
    await session.claude().say(line);
    for (const message of session.emitted) {
      expect(message).not.toHaveProperty("in_reply_to");
      expect(message).not.toMatchObject({ turn_id: "evil" });
    }
    expectGuarantees(session);
  });
});

describe("limits of control requests", () => {
  test("an interrupt is sent when too many other requests are pending", async () => {
    const session = await startSession();
    for (let count = 0; count < 300; count += 1) {
      session.session.handleControl({ type: "control", subtype: "mcp_status" });
    }
    const emitted = emittedOf(session, "error");
    expect(emitted.length).toBeGreaterThan(0);
    session.session.handleInterrupt({ type: "interrupt", include_background: true });
    expect(emittedOf(session, "error")).toHaveLength(emitted.length);
    expect(session.claude().writes.at(-1)).toMatchObject({ request: { subtype: "interrupt" } });
  });

  test("the timeout of a request names the version that supports it when this one may not", async () => {
    const session = await startSession();
    session.session.handleControl({ type: "control", subtype: "get_context_usage" });
    session.clock.advance(30_000);
    expect(emittedOf(session, "control_result")).toMatchObject([
      { ok: false, error: "control_timeout: 2.1.38 does not know get_context_usage; 2.1.197 does" },
    ]);
  });
});

test("a shutdown during pending session commands emits no errors for them", async () => {
  const session = await startSession();
  const asks = (command: "continue" | "resume") =>
    session.session.handleSessionCommand({ type: "session_command", command });
  asks("continue");
  asks("resume");
  const gone = session.session.shutdown(false);
  await session.settle();
  await session.claude().exit();
  await gone;
  expect(emittedOf(session, "error")).toEqual([]);
  expect(session.starts).toHaveLength(1);
  expectGuarantees(session, true);
});
