/** Host messages while Claude is being stopped, and after a failed start. */
import { expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import { initLine, promptLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { inTurn } from "../../../testing/drivers/working-session.ts";

const SESSION = "11111111-2222-4333-8444-00000000000a";

const leaving = async () => {
  const session = await inTurn(promptLine("p"));
  session.command("new");
  await session.settle();
  return session;
};

test("a session that is replaced by another one closes its prompts, and a later answer is stale", async () => {
  const session = await leaving();
  expect(session.of("control_request_cancel")).toMatchObject([{ request_id: "p" }]);
  expect(session.state).toBe("running");
  const emitted = await session.emittedBy(() => session.approve({ request_id: "p" }));
  expect(emitted).toMatchObject([{ type: "error", code: "stale_request" }]);
});

test("a session that is replaced by another one does not forward new prompts, since no answer could reach Claude", async () => {
  const session = await leaving();
  expect(await session.emittedBy(promptLine("q"))).toEqual([]);
  const emitted = await session.emittedBy(() => session.approve({ request_id: "q" }));
  expect(emitted).toMatchObject([{ type: "error", code: "unknown_request" }]);
});

test("a session that is replaced by another one passes the mode and the model that the host sets to the next process, and not those that the ending process reports", async () => {
  const session = await leaving();
  session.chooseMode("plan");
  session.chooseModel("opus");
  await session.say(initLine({ permissionMode: "default", model: "claude-other" }));
  await session.exit();
  expect(session.flags).toContain("--permission-mode=plan");
  expect(session.flags).toContain("--model=opus");
  expect(session.of("permission_mode_changed")).toMatchObject([{ mode: "plan", source: "host" }]);
});

test("a switch away from a conversation that is still being resumed is no failed start", async () => {
  const init = { session: { mode: "resume", session_id: SESSION } } as const;
  const session = await startSession({ init, isReady: false });
  session.command("new");
  await session.settle();
  const stderrTail = `No conversation found with session ID: ${SESSION}`;
  await session.exit({ exitCode: 1, stderrTail });
  expect(session.of("error")).toEqual([]);
  expect(session.starts).toHaveLength(2);
  await session.initialize();
  expect(session.of("session_init")).toMatchObject([{ mode: "new" }]);
});

test("a conversation that could not be resumed rejects messages until another conversation is chosen", async () => {
  const session = await startSession({ init: { session: { mode: "continue" } }, isReady: false });
  expect(session.of("error")).toMatchObject([{ code: "resume_failed" }]);
  const emitted = await session.emittedBy(() => session.message("hello"));
  expect(emitted).toMatchObject([
    { type: "error", code: "resume_failed" },
    { type: "message_status", status: "rejected" },
  ]);
  expect(session.claudes).toHaveLength(0);
  session.command("resume", { session_id: SESSION });
  await session.settle();
  expect(session.starts.at(-1)).toContain(`--resume=${SESSION}`);
});

test("a new conversation under an id that is in use is reported once and not retried, and another conversation can be chosen", async () => {
  const session = await startSession();
  session.command("new", { session_id: SESSION });
  await session.exit();
  session.message("waits");
  const stderrTail = `Error: Session ID ${SESSION} is already in use.\n`;
  await session.exit({ exitCode: 1, stderrTail });
  expect(session.of("error")).toMatchObject([
    { code: "claude_start_failed", reason: "id_in_use", recoverable: true },
  ]);
  expect(session.of("message_status").at(-1)).toMatchObject({ status: "cancelled" });
  expect(session.starts).toHaveLength(2);
  expect(session.isFatal).toBe(false);
  expect(session.of("process_exit").at(-1)).toMatchObject({ will_restart: false });
  session.message("refused");
  await session.settle();
  expect(session.starts).toHaveLength(2);
  expect(session.of("error").slice(1)).toMatchObject([{ code: "resume_failed" }]);

  session.command("new");
  await session.settle();
  await session.initialize();
  expect(session.of("session_init").at(-1)).toMatchObject({ mode: "new" });
});

const withTask = () => inTurn(captured("background tasks"), resultLine());

test("a background task that never ends keeps Claude's stdin open after the turn without a limit", async () => {
  const session = await withTask();
  session.clock.advance(24 * 60 * 60 * 1000);
  await session.settle();
  expect(session.claude().isInputClosed()).toBe(false);
  expect(session.claude().signals).toEqual([]);
  expect(session.of("error")).toEqual([]);
});

test("a background task that never ends does not prevent a shutdown", async () => {
  const session = await withTask();
  const gone = session.session.shutdown(true, true);
  await session.settle();
  expect(session.claude().isInputClosed()).toBe(true);
  await session.exit();
  await gone;
});

const WAITING = ["second", "third", "fourth", "fifth"];

/** A session in its first turn, with four queued messages. */
const draining = async () => {
  const session = await startSession();
  for (const text of ["first", ...WAITING]) session.message(text);
  await session.say(initLine());
  const gone = session.session.shutdown(true, true);
  await session.settle();
  return { session, gone };
};
const finalReceipts = (session: TestSession) =>
  session.receipts().filter((receipt) => !["queued", "started"].includes(receipt));

test("a draining shutdown sends queued messages to the next process after a crash", async () => {
  const { session, gone } = await draining();
  await session.crash();
  expect(session.of("process_exit")).toMatchObject([{ will_restart: true }]);
  await session.initialize();
  for (const _message of WAITING) await session.say(initLine(), resultLine());
  await session.exit();
  await gone;
  expect(finalReceipts(session)).toEqual(["failed", ...WAITING.map(() => "completed")]);
  expect(session.starts).toHaveLength(2);
});

test("a draining shutdown fails only the message of a stalled turn, and sends the next one", async () => {
  const { session } = await draining();
  session.clock.advance(300_000);
  session.clock.advance(10_000);
  await session.settle();
  await session.crash();
  expect(finalReceipts(session)).toEqual(["failed"]);
  await session.initialize();
  expect(session.lastWrite).toMatchObject({ type: "user" });
});

test("a draining shutdown sends a message that is queued for a new conversation to that conversation", async () => {
  const session = await startSession();
  session.command("new");
  session.message("first");
  const gone = session.session.shutdown(true, true);
  await session.settle();
  await session.exit();
  await session.initialize();
  await session.say(initLine(), resultLine());
  await session.exit();
  await gone;
  expect(finalReceipts(session)).toEqual(["completed"]);
});

test("a draining shutdown starts no new conversation without a message for it", async () => {
  const session = await startSession();
  session.command("new");
  const gone = session.session.shutdown(true, true);
  await session.settle();
  await session.exit();
  await gone;
  expect(session.starts).toHaveLength(1);
});

test("a draining shutdown ends after a crash with an empty queue", async () => {
  const session = await startSession();
  session.message("first");
  await session.say(initLine());
  const gone = session.session.shutdown(true, true);
  await session.crash();
  await gone;
  expect(session.of("process_exit")).toMatchObject([{ will_restart: false }]);
});

test("a draining shutdown ends and cancels the remaining messages when no restart is left", async () => {
  const { session, gone } = await draining();
  await session.crash();
  for (let restart = 0; restart < 3; restart += 1) {
    await session.initialize();
    await session.crash();
  }
  await gone;
  expect(session.starts).toHaveLength(4);
  expect(finalReceipts(session)).toEqual([...Array(4).fill("failed"), "cancelled claude_exited"]);
  expect(session.of("error")).toMatchObject([{ code: "claude_exited" }]);
});

test("a draining shutdown ends with an error and cancels the remaining messages when the next process fails to start", async () => {
  const { session, gone } = await draining();
  await session.crash();
  await session.exit({ exitCode: 1, stderrTail: "out of memory\n" });
  await gone;
  expect(session.starts).toHaveLength(2);
  expect(session.of("process_exit").at(-1)).toMatchObject({ will_restart: false });
  expect(session.of("error")).toMatchObject([{ code: "claude_start_failed" }]);
  expect(finalReceipts(session)).toEqual([
    "failed",
    ...WAITING.map(() => "cancelled claude_start_failed"),
  ]);
});

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
  const session = await inTurn(resultLine(fields));
  expect(session.of("turn_complete", "turn_cancelled")).toHaveLength(1);
  expect(session.state).toBe("idle");
});

test("a turn whose result is lost closes its prompts, is cancelled with reason line_lost and completes its message", async () => {
  const session = await inTurn(promptLine("p"), resultLine({ subtype: 5 }));
  expect(session.of("control_request_cancel")).toMatchObject([{ request_id: "p" }]);
  expect(session.of("turn_cancelled")).toMatchObject([{ reason: "line_lost" }]);
  expect(session.receipts().at(-1)).toBe("completed");
  expect(session.state).toBe("idle");
});

const OURS = { seq: 77, ipc_version: 9, in_reply_to: "zz", turn_id: "evil" };
const LINES = [
  initLine(OURS),
  promptLine("p", OURS),
  { type: "system", subtype: "notification", key: "k", text: "t", priority: "low", ...OURS },
  { type: "system", subtype: "compact_boundary", session_id: "s", compact_metadata: OURS },
];
test.each(LINES)("reserved field names are not copied from the line %j", async (line) => {
  const session = await startSession();
  session.message("first");
  await session.say(line);
  for (const message of session.emitted) {
    expect(message).not.toHaveProperty("in_reply_to");
    expect(message).not.toMatchObject({ turn_id: "evil" });
  }
});

test("an interrupt is sent when too many other requests are pending", async () => {
  const session = await startSession();
  for (let count = 0; count < 300; count += 1) session.control("mcp_status");
  const emitted = session.of("error");
  expect(emitted.length).toBeGreaterThan(0);
  session.interrupt({ include_background: true });
  expect(session.of("error")).toHaveLength(emitted.length);
  expect(session.lastWrite).toMatchObject({ request: { subtype: "interrupt" } });
});

test("the timeout of a request names the version that supports it when this one may not", async () => {
  const session = await startSession();
  session.control("get_context_usage");
  session.clock.advance(30_000);
  expect(session.of("control_result")).toMatchObject([
    { ok: false, error: "control_timeout: 2.1.38 does not know get_context_usage; 2.1.197 does" },
  ]);
});

test("a shutdown during pending session commands emits no errors for them", async () => {
  const session = await startSession();
  session.command("continue");
  session.command("resume");
  const gone = session.session.shutdown(false);
  await session.settle();
  await session.exit();
  await gone;
  expect(session.of("error")).toEqual([]);
  expect(session.starts).toHaveLength(1);
});
