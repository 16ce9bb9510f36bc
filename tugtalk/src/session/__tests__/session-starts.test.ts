/** Starts and restarts of Claude, and the restart limit. Contract: Start, `process_exit`. */
import { describe, expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import { initLine, promptLine, resultLine } from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedBy,
  emittedOf,
  expectGuarantees,
  sayAsHost,
  writtenBy,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";

const ID = "11111111-2222-4333-8444-555555555555";
const NEWEST = "99999999-2222-4333-8444-555555555555";

const statuses = (session: TestSession) =>
  emittedOf(session, "message_status").map(({ status }) => status);

describe("start of Claude", () => {
  test("a start of Claude sends initialize first, and emits session_init after the answer", async () => {
    const session = await startSession({ isReady: false });
    expect(session.claude().writes).toMatchObject([
      { type: "control_request", request: { subtype: "initialize" } },
    ]);
    expect(session.emitted.map(({ type }) => type)).toEqual(["process_started", "session_state"]);
    const emitted = await emittedBy(session, () =>
      session.initialize({ models: [{ value: "opus" }], claude_code_version: "2.1.330" }),
    );
    expect(emitted).toMatchObject([
      { type: "session_init", session_id: session.session.sessionId, mode: "new" },
      { type: "session_state", state: "idle" },
      { type: "session_capabilities", models: [{ value: "opus" }], claude_version: "2.1.330" },
    ]);
    expectGuarantees(session);
  });

  test("a start of Claude is complete at the first init too, and emits session_init once", async () => {
    const session = await startSession({ isReady: false });
    const { sessionId } = session.session;
    await session.claude().say(initLine({ session_id: sessionId }));
    await session.initialize();
    expect(emittedOf(session, "session_init")).toMatchObject([
      { session_id: sessionId, mode: "new" },
    ]);
  });

  test("a start of Claude is complete when Claude rejects initialize", async () => {
    const session = await startSession({ isReady: false });
    await answerTo(session, "initialize", { subtype: "error", error: "unknown subtype" });
    expect(emittedOf(session, "session_init")).toHaveLength(1);
    expect(emittedOf(session, "session_capabilities", "error")).toEqual([]);
    sayAsHost(session, "hi");
    expect(session.claude().writes.at(-1)).toMatchObject({ type: "user" });
  });

  test("a start of Claude fails for good and is killed when Claude never answers", async () => {
    const session = await startSession({ isReady: false });
    session.clock.advance(119_999);
    expect(session.claude().signals).toEqual([]);
    session.clock.advance(1);
    expect(session.claude().signals).toEqual(["SIGKILL"]);
    await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "claude_unresponsive", recoverable: false },
    ]);
    expect(emittedOf(session, "process_exit")).toMatchObject([
      { will_restart: false, expected: false },
    ]);
    expect(session.isFatal()).toBe(true);
    expectGuarantees(session, true);
  });

  test("a start of Claude queues messages, and sends them one turn at a time", async () => {
    const session = await startSession({ isReady: false });
    for (const text of ["one", "two"]) sayAsHost(session, text);
    expect(session.claude().writes).toHaveLength(1);
    await session.initialize();
    expect(session.claude().writes.slice(1)).toMatchObject([
      { message: { content: [{ text: "one" }] } },
    ]);
    await session.claude().say(resultLine());
    expect(session.claude().writes.slice(1)).toMatchObject([
      { message: { content: [{ text: "one" }] } },
      { message: { content: [{ text: "two" }] } },
    ]);
    expect(statuses(session)).toEqual(["queued", "queued", "started", "completed", "started"]);
    expectGuarantees(session);
  });

  test.each([
    ["resume", { mode: "resume", session_id: ID } as const, [`--resume=${ID}`], ID],
    ["continue", { mode: "continue" } as const, [`--resume=${NEWEST}`], NEWEST],
  ])("a start of Claude with %s resumes the conversation", async (mode, choice, args, id) => {
    const session = await startSession({ init: { session: choice }, newestSessionId: NEWEST });
    expect(session.starts[0]).toEqual(expect.arrayContaining(args));
    expect(emittedOf(session, "session_init")).toMatchObject([{ mode, session_id: id }]);
  });

  test("a start of Claude with fork gets an id of tugtalk", async () => {
    const session = await startSession({
      init: { session: { mode: "fork" } },
      newestSessionId: NEWEST,
    });
    const [init] = emittedOf(session, "session_init");
    expect(init).toMatchObject({ mode: "fork", previous_session_id: NEWEST });
    expect(session.starts[0]?.slice(6)).toEqual([
      `--resume=${NEWEST}`,
      "--fork-session",
      `--session-id=${init?.["session_id"]}`,
    ]);
  });

  test("a start of Claude has the flags for the mode and the model of the init message", async () => {
    const session = await startSession({ init: { permission_mode: "plan", model: "opus" } });
    expect(session.starts[0]?.slice(6)).toEqual(
      expect.arrayContaining(["--model=opus", "--permission-mode=plan"]),
    );
  });

  test("a start of Claude forwards a prompt that Claude prints before its answer to initialize, and sends the answer", async () => {
    const session = await startSession({ isReady: false });
    await session.claude().say(promptLine("early"));
    expect(emittedOf(session, "control_request_forward")).toMatchObject([{ request_id: "early" }]);
    const approval = { type: "tool_approval", request_id: "early", decision: "allow" } as const;
    const written = await writtenBy(session, () => session.session.handleToolApproval(approval));
    expect(written).toMatchObject([{ response: { request_id: "early" } }]);
    await session.initialize();
    expectGuarantees(session);
  });

  test("a start of Claude with continue and no conversation is an error and starts no process", async () => {
    const session = await startSession({ init: { session: { mode: "continue" } }, isReady: false });
    expect(session.emitted).toMatchObject([
      { type: "error", code: "resume_failed", reason: "no_such_session", recoverable: true },
    ]);
    expect(session.starts).toEqual([]);
    expect(session.isFatal()).toBe(false);
  });

  test("a start of Claude that fails with an error on stdout reports that error", async () => {
    const session = await startSession({
      init: { session: { mode: "resume", session_id: ID } },
      isReady: false,
    });
    const errors = [`No conversation found with session ID: ${ID}`];
    await session.claude().say(captured("result interrupted 38", { is_error: true, errors }));
    await session.claude().exit({ exitCode: 1 });
    const [error] = emittedOf(session, "error");
    expect(error).toMatchObject({
      code: "resume_failed",
      reason: "no_such_session",
      recoverable: true,
    });
    expect(error?.["message"]).toContain(errors[0] ?? "?");
    expect(emittedOf(session, "turn_started", "session_init")).toEqual([]);
    expectGuarantees(session, true);
  });

  test("a start of Claude with an error on stdout hides the values of env, and repeats no line of stderr", async () => {
    const options = { env: { API_TOKEN: "a-secret-value" } };
    const session = await startSession({ init: { options }, isReady: false });
    const errors = ["the login a-secret-value is refused"];
    await session.claude().say(captured("result interrupted 38", { is_error: true, errors }));
    const stderrTail = "the login $API_TOKEN is refused\n";
    await session.claude().exit({ exitCode: 1, stderrTail });
    const [error] = emittedOf(session, "error");
    expect(error?.["message"]).toEndWith("): the login $API_TOKEN is refused");
  });
});

describe("exit of Claude", () => {
  test("an exit of Claude in a turn fails the message of the turn, and the next message restarts Claude", async () => {
    const session = await startSession();
    sayAsHost(session, "one");
    await session.claude().say(initLine({ session_id: session.session.sessionId }));
    await session.claude().exit({ exitCode: null, signal: "SIGKILL", stderrTail: "oops" });
    expect(emittedOf(session, "turn_cancelled")).toMatchObject([{ reason: "exited" }]);
    expect(statuses(session)).toEqual(["queued", "started", "failed"]);
    expect(emittedOf(session, "process_exit")).toMatchObject([
      {
        exit_code: null,
        signal: "SIGKILL",
        expected: false,
        stderr_tail: "oops",
        will_restart: true,
      },
    ]);
    expect(session.emitted.at(-1)).toMatchObject({ type: "session_state", state: "exited" });
    expectGuarantees(session, true);

    sayAsHost(session, "two");
    await session.settle();
    expect(session.starts[1]).toContain(`--resume=${session.session.sessionId}`);
    await session.initialize();
    expect(session.claude().writes.at(-1)).toMatchObject({
      message: { content: [{ text: "two" }] },
    });
    expect(emittedOf(session, "session_init").map(({ mode }) => mode)).toEqual(["new", "resume"]);
    expectGuarantees(session);
  });

  test("an exit of Claude before the first message is followed by a start under the same id", async () => {
    const session = await startSession();
    await session.claude().exit();
    sayAsHost(session, "one");
    await session.settle();
    expect(session.starts[1]).toEqual(session.starts[0] ?? []);
  });

  test("an exit of Claude during a restart cancels the waiting message, and the next message restarts Claude again", async () => {
    const session = await startSession();
    sayAsHost(session, "one");
    await session.claude().say(initLine({ session_id: session.session.sessionId }));
    await session.claude().exit();
    sayAsHost(session, "two");
    await session.settle();
    await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
    expect(emittedOf(session, "process_exit").at(-1)).toMatchObject({ will_restart: true });
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "claude_start_failed", recoverable: true },
    ]);
    expect(statuses(session).at(-1)).toBe("cancelled");
    expect(session.starts).toHaveLength(2);

    sayAsHost(session, "three");
    await session.settle();
    expect(session.starts[2]).toContain(`--resume=${session.session.sessionId}`);
    expectGuarantees(session);
  });

  test("an exit of Claude with queued messages restarts Claude without a new message", async () => {
    const session = await startSession();
    sayAsHost(session, "one");
    sayAsHost(session, "two");
    await session.claude().exit();
    await session.settle();
    expect(session.starts).toHaveLength(2);
    await session.initialize();
    expect(session.claude().writes.at(-1)).toMatchObject({
      message: { content: [{ text: "two" }] },
    });
  });

  test("an exit of Claude for the fourth time in a minute allows no restart until the minute has passed", async () => {
    const session = await startSession();
    for (let exits = 1; exits <= 4; exits += 1) {
      await session.claude().exit({ exitCode: 1 });
      if (exits === 4) break;
      sayAsHost(session, `go ${exits}`);
      await session.settle();
      await session.initialize();
    }
    expect(session.starts).toHaveLength(4);
    expect(emittedOf(session, "process_exit").map((exit) => exit["will_restart"])).toEqual([
      true,
      true,
      true,
      false,
    ]);
    sayAsHost(session, "once more");
    await session.settle();
    expect(session.emitted.slice(-2)).toMatchObject([
      { type: "error", code: "claude_exited" },
      { type: "message_status", status: "rejected" },
    ]);
    expect(session.starts).toHaveLength(4);
    expectGuarantees(session, true);
    session.clock.advance(60_000);
    sayAsHost(session, "after a minute");
    await session.settle();
    expect(session.starts).toHaveLength(5);
  });

  test("an exit of Claude for the fourth time in a minute cancels all queued messages", async () => {
    const session = await startSession();
    for (let text = 1; text <= 6; text += 1) sayAsHost(session, `message ${text}`);
    for (let exits = 1; exits <= 4; exits += 1) {
      await session.claude().exit({ exitCode: 1 });
      await session.settle();
      if (exits < 4) await session.initialize();
    }
    expect(session.starts).toHaveLength(4);
    expect(emittedOf(session, "process_exit").at(-1)).toMatchObject({ will_restart: false });
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "claude_exited", recoverable: true },
    ]);
    expect(emittedOf(session, "message_status").slice(-2)).toMatchObject([
      { status: "cancelled", reason: "claude_exited" },
      { status: "cancelled", reason: "claude_exited" },
    ]);
    expectGuarantees(session, true);
  });
});
