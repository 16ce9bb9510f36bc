/** An exit of Claude: the errors that it does not cause, and the state that ends with it. Contract: `process_exit`. */
import { describe, expect, test } from "bun:test";
import { captured } from "../../../testing/captures/captured-line.ts";
import { initLine, promptLine } from "../../../testing/drivers/claude-lines.ts";
import {
  emittedOf,
  expectGuarantees,
  sayAsHost,
  writtenBy,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession } from "../../../testing/drivers/test-session.ts";

const ID = "11111111-2222-4333-8444-555555555555";

describe("exit of Claude", () => {
  test("an exit of Claude is no failed resume after the resumed process was ready", async () => {
    const session = await startSession({ init: { session: { mode: "resume", session_id: ID } } });
    const stderrTail = `No conversation found with session ID: ${ID}`;
    await session.claude().exit({ exitCode: 1, stderrTail });
    expect(emittedOf(session, "error")).toEqual([]);
    expect(emittedOf(session, "process_exit")).toMatchObject([{ will_restart: true }]);
    expect(session.session.sessionId).toBe(ID);
  });

  test("an exit of Claude with code 1 after a failed turn leaves the emitted result of the turn as it was", async () => {
    const session = await startSession();
    sayAsHost(session, "one");
    const { say } = session.claude();
    await say(initLine({ session_id: session.session.sessionId }));
    await say(captured("result max_turns 330", { session_id: session.session.sessionId }));
    await session.claude().exit({ exitCode: 1 });
    expect(emittedOf(session, "turn_complete", "turn_cancelled")).toMatchObject([
      { type: "turn_complete", result: "error", subtype: "error_max_turns" },
    ]);
    const receipts = emittedOf(session, "message_status").map(({ status }) => status);
    expect(receipts).toEqual(["queued", "started", "completed"]);
    expect(emittedOf(session, "error")).toEqual([]);
    expect(emittedOf(session, "process_exit")).toMatchObject([
      { exit_code: 1, will_restart: true },
    ]);
    expectGuarantees(session, true);
  });

  test("an exit of Claude ends the permissions of the session, and the next process asks again", async () => {
    const session = await startSession();
    sayAsHost(session, "one");
    const { say } = session.claude();
    await say(initLine({ session_id: session.session.sessionId }));
    await say(promptLine("r"));
    const rule = { type: "setMode", mode: "acceptEdits", destination: "session" } as const;
    session.session.handleToolApproval({
      type: "tool_approval",
      request_id: "r",
      decision: "allow",
      updatedPermissions: [rule],
    });
    await session.claude().exit();
    sayAsHost(session, "two");
    await session.settle();
    await session.initialize();
    const written = await writtenBy(session, () => session.claude().say(promptLine("again")));
    expect(written).toEqual([]);
    expect(emittedOf(session, "control_request_forward")).toMatchObject([
      { request_id: "r" },
      { request_id: "again" },
    ]);
  });
});
