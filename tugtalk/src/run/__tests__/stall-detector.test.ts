/** When a turn counts as stalled, when it does not, and what happens then. */
import { expect, test } from "bun:test";
import {
  messageEnd,
  messageStart,
  textDelta,
  textStart,
  toolBlock,
} from "../../../simulator/stream-events.ts";
import {
  assistantLine,
  eventLine,
  initLine,
  interruptedLine,
  promptLine,
  resultLine,
  SESSION_ID,
  toolResultLine,
  wakeUpLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, SECOND, working } from "../../../testing/drivers/working-session.ts";
import type { Fields } from "../../base/json.ts";
import type { SessionOptions } from "../../messages/options.ts";

const FIRST_TOKEN = 300_000;
const STREAM = 120_000;
const DAY = 24 * 3_600_000;

/** A session in a turn, with these options. */
const workingWith = (options: SessionOptions) => working({ init: { options } });

const streaming = [
  eventLine(messageStart("m1")),
  eventLine(textStart()),
  eventLine(textDelta("half")),
];

const callsTool = assistantLine("m1", toolBlock("tool1", "Bash"));
const toolDone = toolResultLine("tool1", "done");

const retryLine = (retry_delay_ms: number) => ({
  type: "system",
  subtype: "api_retry",
  attempt: 1,
  max_retries: 10,
  retry_delay_ms,
  error_status: 529,
  error: "overloaded",
  session_id: SESSION_ID,
  uuid: "u1",
});

const hookLine = (subtype: string) => ({
  type: "system",
  subtype,
  hook_id: "h1",
  hook_name: "Stop",
  hook_event: "Stop",
  session_id: SESSION_ID,
  uuid: "u1",
});

const backgroundLine = {
  type: "system",
  subtype: "background_tasks_changed",
  tasks: [{ task_id: "b1", task_type: "local_bash", description: "sleep" }],
  session_id: SESSION_ID,
  uuid: "u1",
};

/** Whether the turn counts as stalled after this time. */
function isStalledAfter(session: TestSession, ms: number): boolean {
  session.clock.advance(ms);
  return session.state === "stalled";
}

const interrupts = (session: TestSession) => session.requestsOf("interrupt").length;

/** The events of a turn, and the time after which it stalls and not before. */
const STALLS: readonly (readonly [name: string, lines: readonly Fields[], limitMs: number])[] = [
  ["when the first token takes longer than its limit", [], FIRST_TOKEN],
  ["when a streamed answer pauses for longer than its limit", streaming, STREAM],
  ["within the limit of a first token after a tool result", [callsTool, toolDone], FIRST_TOKEN],
  [
    "within the limit of a first token after a broken stream whose answer came again unstreamed",
    [...streaming, assistantLine("m2", toolBlock("tool1", "Bash")), toolDone],
    FIRST_TOKEN,
  ],
  [
    "although a call of an earlier answer has no result",
    [callsTool, eventLine(messageStart("m2"))],
    STREAM,
  ],
  ["after a reported hook", [hookLine("hook_started"), hookLine("hook_response")], FIRST_TOKEN],
  ["after an announced retry delay", [retryLine(FIRST_TOKEN)], 2 * FIRST_TOKEN],
];

test.each(STALLS)("a turn stalls %s", async (_name, lines, limitMs) => {
  const session = await working();
  await session.say(...lines);
  expect(isStalledAfter(session, limitMs - 1)).toBe(false);
  expect(isStalledAfter(session, 1)).toBe(true);
});

test("a turn stalls that Claude has not begun", async () => {
  const session = await startSession();
  session.message("hello");
  expect(isStalledAfter(session, FIRST_TOKEN)).toBe(true);
});

test.each([
  [
    "of a streamed answer runs from its last part",
    streaming,
    eventLine(textDelta(" more")),
    STREAM,
  ],
  ["of a first token runs from the tool result", [callsTool], toolDone, FIRST_TOKEN],
])("the limit %s", async (_name, before, after, limitMs) => {
  const session = await working();
  await session.say(...before);
  session.clock.advance(limitMs - 1);
  await session.say(after);
  expect(isStalledAfter(session, limitMs - 1)).toBe(false);
  expect(isStalledAfter(session, 1)).toBe(true);
});

test("a CLI that does not report broken streams has the longer limit within an answer too", async () => {
  const session = await working({}, initLine({ claude_code_version: "2.1.197" }));
  await session.say(...streaming);
  expect(isStalledAfter(session, FIRST_TOKEN - 1)).toBe(false);
  expect(isStalledAfter(session, 1)).toBe(true);
});

test("messages of a background task do not keep a turn from stalling", async () => {
  const session = await working();
  session.clock.advance(FIRST_TOKEN - 1);
  await session.say(backgroundLine);
  expect(isStalledAfter(session, 1)).toBe(true);
});

test("the host chooses the limits", async () => {
  const session = await workingWith({ first_token_timeout_ms: 50, stream_timeout_ms: 20 });
  expect(isStalledAfter(session, 49)).toBe(false);
  await session.say(...streaming);
  expect(isStalledAfter(session, 19)).toBe(false);
  expect(isStalledAfter(session, 1)).toBe(true);
});

test.each([
  ["while a tool runs", [...streaming, callsTool]],
  ["while a reported hook runs", [hookLine("hook_started")]],
  [
    "while one of two tools still runs",
    [callsTool, assistantLine("m1", toolBlock("tool2", "Bash")), toolDone],
  ],
  ["after its result", [...streaming, ...messageEnd.map(eventLine), resultLine()]],
])("a turn does not stall %s", async (_name, lines) => {
  const session = await working();
  await session.say(...lines);
  expect(isStalledAfter(session, DAY)).toBe(false);
});

test("a turn does not stall while a tool runs and the held-back result of the turn before comes", async () => {
  const session = await working();
  await session.say(wakeUpLine(), initLine(), callsTool, resultLine());
  expect(session.of("turn_started")).toHaveLength(2);
  expect(session.of("turn_complete")).toHaveLength(1);
  expect(isStalledAfter(session, DAY)).toBe(false);
});

test("the limit begins again when the host reads again, however long Claude was silent before", async () => {
  const room = Promise.withResolvers<void>();
  let writing: Promise<void> | undefined;
  const session = await working({ drained: () => writing });
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) session.clock.advance(1_000);
  };
  pass(1_000);
  await session.say(retryLine(0));
  // One second is left when the host stops reading, at a line that is not of the turn.
  pass(FIRST_TOKEN - 1_000);
  writing = room.promise;
  void session.say(backgroundLine);
  await session.settle();
  pass(FIRST_TOKEN);
  writing = undefined;
  room.resolve();
  await session.settle();
  pass(FIRST_TOKEN - 1_000);
  expect(session.states).not.toContain("stalled");
  pass(2_000);
  expect(session.state).toBe("stalled");
});

test("the limit pauses while a prompt is open and begins again with its answer", async () => {
  const session = await working();
  await session.say(promptLine("r"));
  session.clock.advance(DAY);
  session.approve({ decision: "deny" });
  expect(isStalledAfter(session, FIRST_TOKEN - 1)).toBe(false);
  expect(isStalledAfter(session, 1)).toBe(true);
});

test("Claude does not stall before its first message", async () => {
  const session = await startSession();
  expect(isStalledAfter(session, DAY)).toBe(false);
});

test("a turn does not stall while its process is being stopped", async () => {
  const session = await workingWith({ first_token_timeout_ms: 50, shutdown_grace_ms: 1_000 });
  session.command("new");
  await session.settle();
  expect(isStalledAfter(session, 100)).toBe(false);
  expect(session.of("error")).toEqual([]);
});

test("a limit of 0 means that no turn stalls", async () => {
  const session = await workingWith({ first_token_timeout_ms: 0, stream_timeout_ms: 0 });
  expect(isStalledAfter(session, DAY)).toBe(false);
  await session.say(...streaming);
  expect(isStalledAfter(session, DAY)).toBe(false);
});

test("a stalled turn is reported and interrupted once", async () => {
  const session = await working();
  session.clock.advance(FIRST_TOKEN);
  expect(session.of("error")).toMatchObject([{ code: "claude_unresponsive", recoverable: true }]);
  expect(interrupts(session)).toBe(1);
  session.clock.advance(1);
  await session.say(...streaming);
  session.clock.advance(9_000);
  expect(interrupts(session)).toBe(1);
});

test("a stalled turn that ends after its interrupt is cancelled, and the next message goes to the same process", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND });
  session.clock.advance(FIRST_TOKEN);
  await session.answerTo("interrupt");
  await session.say(interruptedLine());
  expect(session.of("turn_complete")).toMatchObject([
    { result: "cancelled", message_ids: [FIRST] },
  ]);
  expect(session.starts).toHaveLength(1);
  expect(session.sentTexts.at(-1)).toBe("second");
  expect(session.state).toBe("running");
});

test("a stalled turn that does not end is stopped with its process, and queued messages go to the next process", async () => {
  const session = await working();
  await session.say(...streaming);
  session.message("second", { message_id: SECOND });
  session.clock.advance(STREAM);
  session.clock.advance(10_000);
  await session.settle();
  expect(session.claude().isInputClosed()).toBe(true);
  session.clock.advance(2_000);
  session.clock.advance(2_000);
  expect(session.claude().signals).toEqual(["SIGTERM", "SIGKILL"]);
  await session.crash();
  expect(session.of("turn_cancelled")).toMatchObject([
    { reason: "stalled", partial_result: "half", message_ids: [FIRST] },
  ]);
  expect(session.of("process_exit")).toMatchObject([{ expected: true, will_restart: true }]);
  expect(session.starts.at(-1)).toContain(`--resume=${SESSION_ID}`);
  await session.initialize();
  expect(session.sentTexts.at(-1)).toBe("second");
});

test("a stalled turn that continues is running again", async () => {
  const session = await working();
  session.clock.advance(FIRST_TOKEN);
  await session.say(...streaming);
  expect(session.states.slice(-2)).toEqual(["stalled", "running"]);
});

test("a turn that stalled within a message is running again with its next text", async () => {
  const session = await working();
  await session.say(...streaming);
  session.clock.advance(FIRST_TOKEN);
  await session.say(eventLine(textDelta(" more")));
  expect(session.states.slice(-2)).toEqual(["stalled", "running"]);
});

test("each turn can stall", async () => {
  const session = await working();
  await session.say(callsTool, resultLine());
  session.message("second", { message_id: SECOND });
  await session.say(initLine());
  expect(isStalledAfter(session, FIRST_TOKEN)).toBe(true);
});
