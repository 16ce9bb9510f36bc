/** Messages while Claude is busy: how they are delivered, replaced and withdrawn (§4c). */
import { describe, expect, test } from "bun:test";
import {
  assistantLine,
  echoLine,
  initLine,
  resultLine,
  toolBlock,
  toolResultLine,
} from "../../../testing/drivers/claude-lines.ts";
import {
  answerTo,
  emittedBy,
  emittedOf,
  expectGuarantees,
  requestOf,
  sayAsHost,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, working } from "../../../testing/drivers/working-session.ts";

const ids = (n: number) => `11111111-2222-4333-8444-00000000000${n}`;
const [SECOND, THIRD] = [ids(2), ids(3)];

const receiptsOf = (session: TestSession, id: string) =>
  emittedOf(session, "message_status")
    .filter(({ message_id }) => message_id === id)
    .map(({ status, merged, reason }) =>
      [status, merged && "merged", reason].filter(Boolean).join(" "),
    );

const textsWritten = (session: TestSession) =>
  session.claude().writes.flatMap((line) => (line["type"] === "user" ? [line["uuid"]] : []));

describe("delivery steer", () => {
  test("delivery steer sends the message at once in a turn, and reports it as merged when Claude merges it into the turn", async () => {
    const session = await working();
    await session.claude().say(assistantLine("m", toolBlock("t", "Bash")));
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    expect(textsWritten(session)).toEqual([FIRST, SECOND]);
    await session.claude().say(toolResultLine("t", "done"));
    await session.claude().say(echoLine(SECOND, "second"));
    await session.claude().say(resultLine());
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "started", "completed merged"]);
    const ends = emittedOf(session, "message_status").filter(
      ({ status }) => status === "completed",
    );
    expect(ends.map(({ message_id }) => message_id)).toEqual([FIRST, SECOND]);
    expect(emittedOf(session, "turn_complete")).toMatchObject([{ message_ids: [FIRST, SECOND] }]);
    expectGuarantees(session);
  });

  test("delivery steer gives the message the next turn when Claude starts it after the current turn", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    await session.claude().say(resultLine());
    expect(receiptsOf(session, SECOND)).toEqual(["queued"]);
    await session.claude().say(initLine());
    await session.claude().say(echoLine(SECOND, "second"));
    await session.claude().say(resultLine());
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "started", "completed"]);
    expect(emittedOf(session, "turn_complete").map(({ message_ids }) => message_ids)).toEqual([
      [FIRST],
      [SECOND],
    ]);
    expectGuarantees(session);
  });

  const [HOOKED, LAST] = [ids(3), ids(4)];
  test("delivery steer completes all messages of a turn that a hook blocks before the last echo", async () => {
    const session = await working();
    for (const message_id of [SECOND, HOOKED])
      sayAsHost(session, "more", { message_id, delivery: "steer" });
    sayAsHost(session, "last", { message_id: LAST });
    await session.claude().say(resultLine());
    // So 2.1.197 does: the echo of the last message would come with the model's answer.
    await session.claude().say(echoLine(SECOND, "more"));
    await session.claude().say(initLine());
    await session.claude().say(resultLine({ result: "blocked by hook" }));
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "started", "completed"]);
    expect(receiptsOf(session, HOOKED)).toEqual(["queued", "started", "completed merged"]);
    expect(emittedOf(session, "turn_complete").at(-1)).toMatchObject({
      message_ids: [SECOND, HOOKED],
    });
    expect(textsWritten(session).at(-1)).toBe(LAST);
    expectGuarantees(session);
  });

  test("delivery steer does not complete a message with a turn whose messages were all named by command_lifecycle", async () => {
    const session = await working();
    for (const message_id of [SECOND, HOOKED])
      sayAsHost(session, "more", { message_id, delivery: "steer" });
    await session.claude().say(resultLine());
    await session.claude().say(echoLine(SECOND, "more"));
    for (const command_uuid of [SECOND, HOOKED])
      await session.claude().say({ type: "command_lifecycle", state: "started", command_uuid });
    await session.claude().say(initLine());
    sayAsHost(session, "last", { message_id: LAST, delivery: "steer" });
    await session.claude().say(resultLine({ result: "blocked by hook" }));
    expect(receiptsOf(session, HOOKED)).toEqual(["queued", "started", "completed merged"]);
    expect(receiptsOf(session, LAST)).toEqual(["queued"]);
    expectGuarantees(session);
  });

  test("delivery steer starts a turn like any other message when Claude is idle", async () => {
    const session = await startSession();
    sayAsHost(session, "first", { message_id: FIRST, delivery: "steer" });
    expect(emittedOf(session, "turn_started")).toMatchObject([
      { message_ids: [FIRST], trigger: "user" },
    ]);
  });
});

describe("steered message", () => {
  test("a steered message is queued until the end of a turn that already has 1024 messages", async () => {
    const session = await working();
    for (let at = 1; at < 1024; at += 1) {
      const message_id = crypto.randomUUID();
      sayAsHost(session, "more", { message_id, delivery: "steer" });
      await session.claude().say(echoLine(message_id, "more"));
    }
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    expect(textsWritten(session)).toHaveLength(1024);
    await session.claude().say(resultLine());
    expect(textsWritten(session).slice(1024)).toEqual([SECOND]);
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "started"]);
    expectGuarantees(session);
  });

  test("a steered message counts towards max_queued until Claude has started it", async () => {
    const session = await working({ init: { options: { max_queued: 1 } } });
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    sayAsHost(session, "third", { message_id: THIRD, delivery: "steer" });
    expect(receiptsOf(session, THIRD)).toEqual(["rejected"]);
    expect(emittedOf(session, "error")).toMatchObject([{ code: "queue_full", message_id: THIRD }]);
  });

  test("a steered message fails after 30 seconds when Claude never starts it, and the next message is sent", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    sayAsHost(session, "third", { message_id: THIRD });
    await session.claude().say(resultLine());
    expect(emittedOf(session, "session_state").at(-1)).toMatchObject({ state: "running" });
    session.clock.advance(29_999);
    expect(textsWritten(session)).toEqual([FIRST, SECOND]);
    session.clock.advance(1);
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "failed"]);
    expect(textsWritten(session)).toEqual([FIRST, SECOND, THIRD]);
    expectGuarantees(session);
  });

  test("a steered message does not time out once Claude has confirmed it, however late its turn starts", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    sayAsHost(session, "third", { message_id: THIRD, delivery: "steer" });
    await session.claude().say(resultLine());
    const confirmed = { type: "command_lifecycle", state: "started", command_uuid: SECOND };
    await session.claude().say(confirmed);
    session.clock.advance(30_000);
    expect(receiptsOf(session, SECOND)).toEqual(["queued"]);
    expect(receiptsOf(session, THIRD)).toEqual(["queued", "failed"]);
    await session.claude().say(initLine());
    await session.claude().say(resultLine());
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "started", "completed"]);
    expectGuarantees(session);
  });

  test("a steered message times out when Claude echoes it between turns and starts no turn", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    await session.claude().say(resultLine());
    await session.claude().say(echoLine(SECOND, "second"));
    session.clock.advance(30_000);
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "failed"]);
    expectGuarantees(session);
  });

  test("a steered message does not time out once Claude has started it", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    await session.claude().say(resultLine());
    await session.claude().say(initLine());
    session.clock.advance(60_000);
    await session.claude().say(resultLine());
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "started", "completed"]);
  });
});

describe("message id that the resumed conversation already has", () => {
  test("a message id that the resumed conversation already has is rejected when Claude echoes it without a turn, and the next message is sent", async () => {
    const session = await startSession({
      init: { session: { mode: "resume", session_id: ids(9) } },
    });
    sayAsHost(session, "first", { message_id: FIRST });
    sayAsHost(session, "second", { message_id: SECOND });
    await session.claude().say(echoLine(FIRST, "first"));
    expect(receiptsOf(session, FIRST)).toEqual(["queued", "started", "rejected"]);
    expect(emittedOf(session, "error")).toMatchObject([
      { code: "message_rejected", message_id: FIRST },
    ]);
    expect(emittedOf(session, "turn_cancelled")).toMatchObject([{ reason: "rejected" }]);
    expect(textsWritten(session)).toEqual([FIRST, SECOND]);
    expectGuarantees(session);
  });
});

describe("delivery replace", () => {
  test("delivery replace replaces the queued replace message", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND, delivery: "replace" });
    sayAsHost(session, "third", { message_id: THIRD, delivery: "replace" });
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "cancelled replaced"]);
    await session.claude().say(resultLine());
    expect(textsWritten(session)).toEqual([FIRST, THIRD]);
  });

  test("delivery replace does not replace queued messages with another delivery", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND });
    sayAsHost(session, "third", { message_id: THIRD, delivery: "replace" });
    expect(receiptsOf(session, SECOND)).toEqual(["queued"]);
  });

  test("delivery replace is accepted in a full queue when it replaces a queued message", async () => {
    const session = await working({ init: { options: { max_queued: 1 } } });
    sayAsHost(session, "second", { message_id: SECOND, delivery: "replace" });
    sayAsHost(session, "third", { message_id: THIRD, delivery: "replace" });
    expect(receiptsOf(session, THIRD)).toEqual(["queued"]);
  });

  test("delivery replace keeps the queued message when the replacement is rejected", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND, delivery: "replace" });
    sayAsHost(session, "", { message_id: THIRD, delivery: "replace" });
    expect(receiptsOf(session, SECOND)).toEqual(["queued"]);
    expect(receiptsOf(session, THIRD)).toEqual(["rejected"]);
  });
});

describe("cancel_message", () => {
  const cancel = (session: TestSession, message_id: string) =>
    session.session.handleCancelMessage({ type: "cancel_message", message_id, id: "cancel" });

  test("cancel_message removes a queued message", async () => {
    const session = await working();
    sayAsHost(session, "second", { message_id: SECOND });
    cancel(session, SECOND);
    expect(receiptsOf(session, SECOND)).toEqual(["queued", "cancelled withdrawn"]);
    expect(emittedOf(session, "control_result")).toMatchObject([
      { ok: true, in_reply_to: "cancel" },
    ]);
    await session.claude().say(resultLine());
    expect(textsWritten(session)).toEqual([FIRST]);
  });

  const LATE = [
    ["that is running", FIRST, "too_late"],
    ["that nobody sent", THIRD, "unknown_message"],
  ] as const;
  test.each(LATE)("cancel_message is refused for a message %s", async (_name, id, error) => {
    const session = await working();
    const emitted = await emittedBy(session, () => cancel(session, id));
    expect(emitted).toMatchObject([
      { type: "control_result", subtype: "cancel_message", ok: false, error },
    ]);
  });

  const ANSWERS = [
    [true, { ok: true }, ["queued", "cancelled withdrawn"]],
    [false, { ok: false, error: "too_late" }, ["queued"]],
  ] as const;
  test.each(ANSWERS)(
    "cancel_message asks Claude to cancel a steered message (cancelled: %p)",
    async (cancelled, result, receipts) => {
      const session = await working();
      sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
      cancel(session, SECOND);
      expect(requestOf(session, "cancel_async_message")).toMatchObject({
        request: { message_uuid: SECOND },
      });
      await answerTo(session, "cancel_async_message", { response: { cancelled } });
      expect(emittedOf(session, "control_result")).toMatchObject([
        { ...result, in_reply_to: "cancel" },
      ]);
      expect(receiptsOf(session, SECOND)).toEqual([...receipts]);
    },
  );

  test("cancel_message is refused at once for a steered message when the CLI cannot cancel messages", async () => {
    const session = await working({}, initLine({ claude_code_version: "2.1.38" }));
    sayAsHost(session, "second", { message_id: SECOND, delivery: "steer" });
    const emitted = await emittedBy(session, () => cancel(session, SECOND));
    expect(emitted).toMatchObject([{ type: "control_result", ok: false }]);
    expect(String(emitted[0]?.["error"])).toStartWith("unsupported: claude 2.1.38");
  });
});
