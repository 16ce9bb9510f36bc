/** Starts and restarts of Claude, exits, and the restart limit. Contract: Start, `process_exit`. */
import { expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import { initLine, promptLine, resultLine } from "../../../testing/drivers/test-lines.ts";
import { startSession } from "../../../testing/drivers/test-session.ts";

const ID = "11111111-2222-4333-8444-555555555555";
const NEWEST = "99999999-2222-4333-8444-555555555555";

/** A session in whose first turn Claude has printed `init`. */
async function begun() {
  const session = await startSession();
  session.message("one");
  await session.say(initLine({ session_id: session.id }));
  return session;
}

test("a start of Claude sends initialize first, and emits session_init after the answer", async () => {
  const session = await startSession({ isReady: false });
  expect(session.claude().writes).toMatchObject([
    { type: "control_request", request: { subtype: "initialize" } },
  ]);
  expect(session.emitted.map(({ type }) => type)).toEqual(["process_started", "session_state"]);
  const emitted = await session.emittedBy(() =>
    session.initialize({ models: [{ value: "opus" }], claude_code_version: "2.1.330" }),
  );
  expect(emitted).toMatchObject([
    { type: "session_init", session_id: session.id, mode: "new" },
    { type: "session_state", state: "idle" },
    { type: "session_capabilities", models: [{ value: "opus" }], claude_version: "2.1.330" },
  ]);
});

test("a start of Claude is complete at the first init too, and emits session_init once", async () => {
  const session = await startSession({ isReady: false });
  const { id } = session;
  await session.say(initLine({ session_id: id }));
  await session.initialize();
  expect(session.of("session_init")).toMatchObject([{ session_id: id, mode: "new" }]);
});

test("a start of Claude is complete when Claude rejects initialize, and has no capabilities", async () => {
  const session = await startSession({ isReady: false });
  await session.answerTo("initialize", { subtype: "error", error: "unknown subtype" });
  expect(session.of("session_init")).toHaveLength(1);
  expect(session.of("session_capabilities", "error")).toEqual([]);
  session.message("hi");
  expect(session.sentTexts).toEqual(["hi"]);
});

test("a start of Claude fails for good and is killed when Claude never answers", async () => {
  const session = await startSession({ isReady: false });
  session.clock.advance(119_999);
  expect(session.claude().signals).toEqual([]);
  session.clock.advance(1);
  expect(session.claude().signals).toEqual(["SIGKILL"]);
  await session.crash();
  expect(session.of("error")).toMatchObject([{ code: "claude_unresponsive", recoverable: false }]);
  expect(session.of("process_exit")).toMatchObject([{ will_restart: false, expected: false }]);
  expect(session.isFatal).toBe(true);
});

test("a start of Claude queues messages, and sends them one turn at a time", async () => {
  const session = await startSession({ isReady: false });
  for (const text of ["one", "two"]) session.message(text);
  expect(session.claude().writes).toHaveLength(1);
  await session.initialize();
  expect(session.sentTexts).toEqual(["one"]);
  await session.say(resultLine());
  expect(session.sentTexts).toEqual(["one", "two"]);
  expect(session.receipts()).toEqual(["queued", "queued", "started", "completed", "started"]);
});

test.each([
  ["resume", { mode: "resume", session_id: ID } as const, ID],
  ["continue", { mode: "continue" } as const, NEWEST],
])("a start of Claude with %s resumes the conversation", async (mode, choice, session_id) => {
  const session = await startSession({ init: { session: choice }, newestSessionId: NEWEST });
  expect(session.flags).toEqual([`--resume=${session_id}`]);
  expect(session.of("session_init")).toMatchObject([{ mode, session_id }]);
});

test("a start of Claude with fork gets an id of tugtalk", async () => {
  const init = { session: { mode: "fork" } } as const;
  const session = await startSession({ init, newestSessionId: NEWEST });
  const own = session.of("session_init")[0]?.["session_id"];
  expect(session.flags).toEqual([`--resume=${NEWEST}`, "--fork-session", `--session-id=${own}`]);
  expect(session.of("session_init")).toMatchObject([{ mode: "fork", previous_session_id: NEWEST }]);
});

test("a start of Claude has the flags for the mode and the model of the init message", async () => {
  const session = await startSession({ init: { permission_mode: "plan", model: "opus" } });
  expect(session.flags).toContain("--model=opus");
  expect(session.flags).toContain("--permission-mode=plan");
});

test("a start of Claude forwards a prompt that Claude prints before its answer to initialize, and sends the answer", async () => {
  const session = await startSession({ isReady: false });
  await session.say(promptLine("r"));
  expect(session.of("control_request_forward")).toMatchObject([{ request_id: "r" }]);
  const written = await session.writtenBy(() => session.approve());
  expect(written).toMatchObject([{ response: { request_id: "r" } }]);
  await session.initialize();
});

test("a start of Claude with continue and no conversation is an error and starts no process", async () => {
  const session = await startSession({ init: { session: { mode: "continue" } }, isReady: false });
  expect(session.emitted).toMatchObject([
    { type: "error", code: "resume_failed", reason: "no_such_session", recoverable: true },
  ]);
  expect(session.starts).toEqual([]);
  expect(session.isFatal).toBe(false);
});

test("a start of Claude that fails with an error on stdout reports that error", async () => {
  const init = { session: { mode: "resume", session_id: ID } } as const;
  const session = await startSession({ init, isReady: false });
  const errors = [`No conversation found with session ID: ${ID}`];
  await session.say(captured("result interrupted 38", { is_error: true, errors }));
  await session.exit({ exitCode: 1 });
  const [error] = session.of("error");
  const reason = "no_such_session";
  expect(error).toMatchObject({ code: "resume_failed", reason, recoverable: true });
  expect(error?.["message"]).toContain(errors[0]);
  expect(session.of("turn_started", "session_init")).toEqual([]);
});

test("a start of Claude with an error on stdout hides the values of env, and repeats no line of stderr", async () => {
  const options = { env: { API_TOKEN: "a-secret-value" } };
  const session = await startSession({ init: { options }, isReady: false });
  const errors = ["the login a-secret-value is refused"];
  await session.say(captured("result interrupted 38", { is_error: true, errors }));
  await session.exit({ exitCode: 1, stderrTail: "the login $API_TOKEN is refused\n" });
  const [error] = session.of("error");
  expect(error?.["message"]).toEndWith("): the login $API_TOKEN is refused");
});

test("an exit of Claude in a turn fails the message of the turn, and the next message restarts Claude", async () => {
  const session = await begun();
  await session.exit({ exitCode: null, signal: "SIGKILL", stderrTail: "oops" });
  expect(session.of("turn_cancelled")).toMatchObject([{ reason: "exited" }]);
  expect(session.receipts()).toEqual(["queued", "started", "failed"]);
  const how = { exit_code: null, signal: "SIGKILL", stderr_tail: "oops" };
  expect(session.of("process_exit")).toMatchObject([
    { ...how, expected: false, will_restart: true },
  ]);
  expect(session.state).toBe("exited");

  await session.restart("two");
  expect(session.flags).toEqual([`--resume=${session.id}`]);
  expect(session.sentTexts).toEqual(["two"]);
  expect(session.of("session_init").map(({ mode }) => mode)).toEqual(["new", "resume"]);
});

test("an exit of Claude before the first message is followed by a start under the same id", async () => {
  const session = await startSession();
  await session.exit();
  await session.restart();
  expect(session.starts[1]).toEqual(session.starts[0] ?? []);
});

test("an exit of Claude during a restart cancels the waiting message, and the next message restarts Claude again", async () => {
  const session = await begun();
  await session.exit();
  session.message("two");
  await session.settle();
  await session.crash();
  expect(session.of("process_exit").at(-1)).toMatchObject({ will_restart: true });
  expect(session.of("error")).toMatchObject([{ code: "claude_start_failed", recoverable: true }]);
  expect(session.receipts().at(-1)).toBe("cancelled claude_start_failed");
  expect(session.starts).toHaveLength(2);

  session.message("three");
  await session.settle();
  expect(session.starts[2]).toContain(`--resume=${session.id}`);
});

test("an exit of Claude with queued messages restarts Claude without a new message", async () => {
  const session = await startSession();
  for (const text of ["one", "two"]) session.message(text);
  await session.exit();
  expect(session.starts).toHaveLength(2);
  await session.initialize();
  expect(session.sentTexts).toEqual(["two"]);
});

test("an exit of Claude for the fourth time in a minute allows no restart until the minute has passed", async () => {
  const session = await startSession();
  for (let exits = 1; exits <= 3; exits += 1) {
    await session.exit({ exitCode: 1 });
    await session.restart();
  }
  await session.exit({ exitCode: 1 });
  const restarts = session.of("process_exit").map(({ will_restart }) => will_restart);
  expect(restarts).toEqual([true, true, true, false]);
  session.message("once more");
  await session.settle();
  expect(session.emitted.slice(-2)).toMatchObject([
    { type: "error", code: "claude_exited" },
    { type: "message_status", status: "rejected" },
  ]);
  expect(session.starts).toHaveLength(4);
  session.clock.advance(60_000);
  session.message("after a minute");
  await session.settle();
  expect(session.starts).toHaveLength(5);
});

test("an exit of Claude for the fourth time in a minute cancels all queued messages", async () => {
  const session = await startSession();
  for (let text = 1; text <= 6; text += 1) session.message(`message ${text}`);
  for (let exits = 1; exits <= 3; exits += 1) {
    await session.exit({ exitCode: 1 });
    await session.initialize();
  }
  await session.exit({ exitCode: 1 });
  expect(session.starts).toHaveLength(4);
  expect(session.of("error")).toMatchObject([{ code: "claude_exited", recoverable: true }]);
  const receipts = session.receipts().slice(-2);
  expect(receipts).toEqual(["cancelled claude_exited", "cancelled claude_exited"]);
});

test("an exit of Claude is no failed resume after the resumed process was ready", async () => {
  const session = await startSession({ init: { session: { mode: "resume", session_id: ID } } });
  const stderrTail = `No conversation found with session ID: ${ID}`;
  await session.exit({ exitCode: 1, stderrTail });
  expect(session.of("error")).toEqual([]);
  expect(session.of("process_exit")).toMatchObject([{ will_restart: true }]);
  expect(session.id).toBe(ID);
});

test("an exit of Claude with code 1 after a failed turn leaves the emitted result of the turn as it was", async () => {
  const session = await begun();
  await session.say(captured("result max_turns 330", { session_id: session.id }));
  await session.exit({ exitCode: 1 });
  expect(session.of("turn_complete", "turn_cancelled")).toMatchObject([
    { type: "turn_complete", result: "error", subtype: "error_max_turns" },
  ]);
  expect(session.receipts()).toEqual(["queued", "started", "completed"]);
  expect(session.of("error")).toEqual([]);
  expect(session.of("process_exit")).toMatchObject([{ exit_code: 1, will_restart: true }]);
});

test("an exit of Claude ends the permissions of the session, and the next process asks again", async () => {
  const session = await begun();
  await session.say(promptLine("r"));
  const rule = { type: "setMode", mode: "acceptEdits", destination: "session" } as const;
  session.approve({ updatedPermissions: [rule] });
  await session.exit();
  await session.restart();
  expect(await session.writtenBy(promptLine("again"))).toEqual([]);
  const asked = session.of("control_request_forward").map(({ request_id }) => request_id);
  expect(asked).toEqual(["r", "again"]);
});
