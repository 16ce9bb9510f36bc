/** What a host does while Claude is being stopped, and after one that could not be started. */
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

describe("while a session is left for another", () => {
  const leaving = async () => {
    const session = await startSession();
    sayAsHost(session, "first");
    await session.claude().say(initLine());
    await session.claude().say(promptLine("p"));
    session.session.handleNewSession();
    await session.settle();
    return session;
  };

  test("its prompts are closed, and an answer is late", async () => {
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

  test("what is asked then is not forwarded: no answer could reach Claude", async () => {
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

  test("what the one that ends says of its mode is no choice for the next", async () => {
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

  test("a mode and a model that are chosen count for the next process", async () => {
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

test("leaving a conversation that is still being taken up is no failed start", async () => {
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

describe("after a conversation that could not be taken up", () => {
  test("a message is refused until another one is chosen", async () => {
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

describe("a conversation under an id that is in use", () => {
  test("is told once and not tried again, and another one can be chosen", async () => {
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

describe("a task in the background that never ends", () => {
  const withTask = async () => {
    const session = await startSession();
    sayAsHost(session, "first");
    for (const line of [initLine(), captured("background tasks"), resultLine()])
      await session.claude().say(line);
    return session;
  };

  test("has Claude's input open after the turn, for as long as it likes", async () => {
    const session = await withTask();
    session.clock.advance(24 * 60 * 60 * 1000);
    await session.settle();
    expect(session.claude().isInputClosed()).toBe(false);
    expect(session.claude().signals).toEqual([]);
    expect(emittedOf(session, "error")).toEqual([]);
  });

  test("does not keep a session that is to end from ending", async () => {
    const session = await withTask();
    const gone = session.session.shutdown(true, true);
    await session.settle();
    expect(session.claude().isInputClosed()).toBe(true);
    await session.claude().exit();
    await gone;
    expectGuarantees(session, true);
  });
});

describe("while a shutdown lets Claude finish", () => {
  const WAITING = ["second", "third", "fourth", "fifth"];

  /** In its first turn, with four messages that wait. */
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
  const lastWords = (session: TestSession) =>
    emittedOf(session, "message_status")
      .map(({ status }) => status)
      .filter((status) => status !== "queued" && status !== "started");

  test("what waits goes on in the next process where the one at work crashes", async () => {
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
    expect(lastWords(session)).toEqual(["failed", ...WAITING.map(() => "completed")]);
    expect(session.starts).toHaveLength(2);
    expectGuarantees(session, true);
  });

  test("a turn that does not end when it is stalled costs its own message only", async () => {
    const { session } = await draining();
    session.clock.advance(300_000);
    session.clock.advance(10_000);
    await session.settle();
    await crash(session);
    expect(lastWords(session)).toEqual(["failed"]);
    await session.initialize();
    expect(session.claude().writes.at(-1)).toMatchObject({ type: "user" });
    expectGuarantees(session);
  });

  test("what waits for another conversation is said in it", async () => {
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
    expect(lastWords(session)).toEqual(["completed"]);
    expectGuarantees(session, true);
  });

  test("no other conversation is begun for nothing", async () => {
    const session = await startSession();
    session.session.handleNewSession();
    const gone = session.session.shutdown(true, true);
    await session.settle();
    await session.claude().exit();
    await gone;
    expect(session.starts).toHaveLength(1);
    expectGuarantees(session, true);
  });

  test("a crash with nothing left to do is the end", async () => {
    const session = await startSession();
    sayAsHost(session, "first");
    await session.claude().say(initLine());
    const gone = session.session.shutdown(true, true);
    await crash(session);
    await gone;
    expect(emittedOf(session, "process_exit")).toMatchObject([{ will_restart: false }]);
    expectGuarantees(session, true);
  });

  test("it is over when Claude has been started too often, and what is left is cancelled", async () => {
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
    expect(lastWords(session)).toEqual(["failed", "failed", "failed", "failed", "cancelled"]);
    expect(emittedOf(session, "error")).toMatchObject([{ code: "claude_exited" }]);
    expectGuarantees(session, true);
  });

  test("it is over when the next process cannot be started, and the host hears why", async () => {
    const { session, gone } = await draining();
    await crash(session);
    await session.claude().exit({ exitCode: 1, stderrTail: "out of memory\n" });
    await gone;
    expect(session.starts).toHaveLength(2);
    expect(emittedOf(session, "process_exit").at(-1)).toMatchObject({ will_restart: false });
    expect(emittedOf(session, "error")).toMatchObject([{ code: "claude_start_failed" }]);
    expect(lastWords(session)).toEqual(["failed", ...WAITING.map(() => "cancelled")]);
    expectGuarantees(session, true);
  });
});

describe("a result that cannot be read whole", () => {
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
  test.each(ODD)("because of %j ends its turn all the same", async (fields) => {
    const session = await startSession();
    sayAsHost(session, "first");
    await session.claude().say(initLine());
    await session.claude().say(resultLine(fields));
    expect(emittedOf(session, "turn_complete", "turn_cancelled")).toHaveLength(1);
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "idle" });
    expectGuarantees(session);
  });
});

describe("a turn whose result is lost", () => {
  test("closes its prompts, and leaves nothing to the next one", async () => {
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

describe("names that are ours", () => {
  const OURS = { seq: 77, ipc_version: 9, in_reply_to: "zz", turn_id: "evil" };
  const LINES = [
    initLine(OURS),
    promptLine("p", OURS),
    { type: "system", subtype: "notification", key: "k", text: "t", priority: "low", ...OURS },
    { type: "system", subtype: "compact_boundary", session_id: "s", compact_metadata: OURS },
  ];
  test.each(LINES)("are not taken from Claude: %j", async (line) => {
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

describe("limits", () => {
  test("an interrupt gets through where other requests are too many", async () => {
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

  test("a request without an answer says which version knows it, where this one may not", async () => {
    const session = await startSession();
    session.session.handleControl({ type: "control", subtype: "get_context_usage" });
    session.clock.advance(30_000);
    expect(emittedOf(session, "control_result")).toMatchObject([
      { ok: false, error: "control_timeout: 2.1.38 does not know get_context_usage; 2.1.197 does" },
    ]);
  });
});

test("an end while other conversations are still to begin tells of none of them", async () => {
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
