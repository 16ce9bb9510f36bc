/** When a turn counts as stalled, when it does not, and what happens then. */
import { describe, expect, test } from "bun:test";
import {
  assistantLine,
  eventLine,
  initLine,
  interruptedLine,
  messageEnd,
  messageStart,
  promptLine,
  resultLine,
  SESSION_ID,
  textDelta,
  textStart,
  toolBlock,
  toolResultLine,
  wakeUpLine,
} from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedOf,
  expectGuarantees,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, say, working } from "../../../testing/drivers/working-session.ts";
import type { SessionOptions } from "../../messages/options.ts";

const SECOND = "11111111-2222-4333-8444-000000000002";
const FIRST_TOKEN = 300_000;
const STREAM = 120_000;

/** A session in a turn, with these options. */
const workingWith = (options: SessionOptions) => working({ init: { options } });

const streaming = [
  eventLine(messageStart("m1")),
  eventLine(textStart()),
  eventLine(textDelta("half")),
];

const callsTool = assistantLine("m1", toolBlock("tool1", "Bash"));

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
  return states(session).at(-1) === "stalled";
}

const states = (session: TestSession) =>
  emittedOf(session, "session_state").map(({ state }) => state);

const interrupts = ({ claude }: TestSession) =>
  claude().writes.filter(
    ({ request }) => (request as { subtype?: string } | undefined)?.subtype === "interrupt",
  ).length;

describe("stall limits", () => {
  test("a turn stalls when the first token takes longer than its limit", async () => {
    const session = await working();
    expect(isStalledAfter(session, FIRST_TOKEN - 1)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("a turn stalls that Claude has not begun", async () => {
    const session = await startSession();
    sayAsHost(session, "hello");
    expect(isStalledAfter(session, FIRST_TOKEN)).toBe(true);
  });

  test("a turn stalls when a streamed answer pauses for longer than its limit", async () => {
    const session = await working();
    await say(session, ...streaming);
    expect(isStalledAfter(session, STREAM - 1)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("the limit of a streamed answer runs from its last part", async () => {
    const session = await working();
    await say(session, ...streaming);
    session.clock.advance(STREAM - 1);
    await say(session, eventLine(textDelta(" more")));
    expect(isStalledAfter(session, STREAM - 1)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("the limit of a first token applies after a tool result", async () => {
    const session = await working();
    await say(session, callsTool);
    session.clock.advance(10 * FIRST_TOKEN);
    await say(session, toolResultLine("tool1", "done"));
    expect(isStalledAfter(session, FIRST_TOKEN - 1)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("the limit of a first token applies after a broken stream whose answer came again unstreamed", async () => {
    const session = await working();
    await say(session, ...streaming, assistantLine("m2", toolBlock("tool1", "Bash")));
    await say(session, toolResultLine("tool1", "done"));
    expect(isStalledAfter(session, FIRST_TOKEN - 1)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("a CLI that does not report broken streams has the longer limit within an answer too", async () => {
    const session = await working({}, initLine({ claude_code_version: "2.1.197" }));
    await say(session, ...streaming);
    expect(isStalledAfter(session, FIRST_TOKEN - 1)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("a call of an earlier answer without a result does not keep a turn from stalling", async () => {
    const session = await working();
    await say(session, callsTool, eventLine(messageStart("m2")));
    expect(isStalledAfter(session, STREAM)).toBe(true);
  });

  test("messages of a background task do not keep a turn from stalling", async () => {
    const session = await working();
    session.clock.advance(FIRST_TOKEN - 1);
    await say(session, backgroundLine);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("the host chooses the limits", async () => {
    const session = await workingWith({ first_token_timeout_ms: 50, stream_timeout_ms: 20 });
    expect(isStalledAfter(session, 49)).toBe(false);
    await say(session, ...streaming);
    expect(isStalledAfter(session, 19)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });
});

describe("pauses of the stall limit", () => {
  const DAY = 24 * 3_600_000;

  test("a turn does not stall while a tool runs", async () => {
    const session = await working();
    await say(session, ...streaming, callsTool);
    expect(isStalledAfter(session, DAY)).toBe(false);
  });

  test("a turn does not stall while a reported hook runs", async () => {
    const session = await working();
    await say(session, hookLine("hook_started"));
    expect(isStalledAfter(session, DAY)).toBe(false);
    await say(session, hookLine("hook_response"));
    expect(isStalledAfter(session, FIRST_TOKEN - 1)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("a turn does not stall while one of two tools still runs", async () => {
    const session = await working();
    await say(session, callsTool, assistantLine("m1", toolBlock("tool2", "Bash")));
    await say(session, toolResultLine("tool1", "done"));
    expect(isStalledAfter(session, DAY)).toBe(false);
  });

  test("a turn does not stall while a tool runs and the held-back result of the turn before comes", async () => {
    const session = await working();
    await say(session, wakeUpLine(), initLine(), callsTool, resultLine());
    expect(emittedOf(session, "turn_started")).toHaveLength(2);
    expect(emittedOf(session, "turn_complete")).toHaveLength(1);
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
    await say(session, retryLine(0));
    // One second is left when the host stops reading, at a line that is not of the turn.
    pass(FIRST_TOKEN - 1_000);
    writing = room.promise;
    void say(session, backgroundLine);
    await session.settle();
    pass(FIRST_TOKEN);
    writing = undefined;
    room.resolve();
    await session.settle();
    pass(FIRST_TOKEN - 1_000);
    expect(states(session)).not.toContain("stalled");
    pass(2_000);
    expect(states(session).at(-1)).toBe("stalled");
  });

  test("the limit pauses while a prompt is open and begins again with its answer", async () => {
    const session = await working();
    await say(session, promptLine("p1"));
    session.clock.advance(DAY);
    session.session.handleToolApproval({
      type: "tool_approval",
      request_id: "p1",
      decision: "deny",
    });
    expect(isStalledAfter(session, FIRST_TOKEN - 1)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("an idle Claude does not stall", async () => {
    const session = await working();
    await say(session, ...streaming, ...messageEnd.map(eventLine), resultLine());
    expect(isStalledAfter(session, DAY)).toBe(false);
  });

  test("Claude does not stall before its first message", async () => {
    const session = await startSession();
    expect(isStalledAfter(session, DAY)).toBe(false);
  });

  test("a turn does not stall during an announced retry delay", async () => {
    const session = await working();
    await say(session, retryLine(FIRST_TOKEN));
    expect(isStalledAfter(session, 2 * FIRST_TOKEN - 1)).toBe(false);
    expect(isStalledAfter(session, 1)).toBe(true);
  });

  test("a turn does not stall while its process is being stopped", async () => {
    const session = await workingWith({ first_token_timeout_ms: 50, shutdown_grace_ms: 1_000 });
    session.session.handleNewSession();
    await session.settle();
    expect(isStalledAfter(session, 100)).toBe(false);
    expect(emittedOf(session, "error")).toEqual([]);
  });

  test("a limit of 0 means that no turn stalls", async () => {
    const session = await workingWith({ first_token_timeout_ms: 0, stream_timeout_ms: 0 });
    expect(isStalledAfter(session, DAY)).toBe(false);
    await say(session, ...streaming);
    expect(isStalledAfter(session, DAY)).toBe(false);
  });
});

describe("a stalled turn", () => {
  test("a stalled turn is reported and interrupted once", async () => {
    const session = await working();
    session.clock.advance(FIRST_TOKEN);
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "claude_unresponsive", recoverable: true },
    ]);
    expect(interrupts(session)).toBe(1);
    session.clock.advance(1);
    await say(session, ...streaming);
    session.clock.advance(9_000);
    expect(interrupts(session)).toBe(1);
    expectGuarantees(session);
  });

  test("a stalled turn that ends after its interrupt is cancelled, and the next message goes to the same process", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND });
    session.clock.advance(FIRST_TOKEN);
    await answerTo(session, "interrupt");
    await say(session, interruptedLine());
    expect(emittedOf(session, "turn_complete")).toMatchObject([
      { result: "cancelled", message_ids: [FIRST] },
    ]);
    expect(session.starts).toHaveLength(1);
    expect(session.claude().writes.at(-1)).toMatchObject({ type: "user", uuid: SECOND });
    expect(states(session).at(-1)).toBe("running");
    expectGuarantees(session);
  });

  test("a stalled turn that does not end is stopped with its process, and queued messages go to the next process", async () => {
    const session = await working();
    await say(session, ...streaming);
    sayAsHost(session, "second", { message_id: SECOND });
    session.clock.advance(STREAM);
    session.clock.advance(10_000);
    await session.settle();
    expect(session.claude().isInputClosed()).toBe(true);
    session.clock.advance(2_000);
    session.clock.advance(2_000);
    expect(session.claude().signals).toEqual(["SIGTERM", "SIGKILL"]);
    await session.claude().exit({ exitCode: null, signal: "SIGKILL" });
    expect(emittedOf(session, "turn_cancelled")).toMatchObject([
      { reason: "stalled", partial_result: "half", message_ids: [FIRST] },
    ]);
    expect(emittedOf(session, "process_exit")).toMatchObject([
      { expected: true, will_restart: true },
    ]);
    expect(session.starts.at(-1)).toContain(`--resume=${SESSION_ID}`);
    await session.initialize();
    expect(session.claude().writes.at(-1)).toMatchObject({ type: "user", uuid: SECOND });
    expectGuarantees(session);
  });

  test("a stalled turn that continues is running again", async () => {
    const session = await working();
    session.clock.advance(FIRST_TOKEN);
    await say(session, ...streaming);
    expect(states(session).slice(-2)).toEqual(["stalled", "running"]);
  });

  test("a turn that stalled within a message is running again with its next text", async () => {
    const session = await working();
    await say(session, ...streaming);
    session.clock.advance(FIRST_TOKEN);
    await say(session, eventLine(textDelta(" more")));
    expect(states(session).slice(-2)).toEqual(["stalled", "running"]);
  });
});

test("each turn can stall", async () => {
  const session = await working();
  await say(session, callsTool, resultLine());
  sayAsHost(session, "second", { message_id: SECOND });
  await say(session, initLine());
  expect(isStalledAfter(session, FIRST_TOKEN)).toBe(true);
});
