/** Messages while Claude is busy: how they are delivered, replaced and withdrawn (§4c). */
import { expect, test } from "bun:test";
import { toolBlock } from "../../../simulator/stream-events.ts";
import {
  assistantLine,
  echoLine,
  initLine,
  resultLine,
  toolResultLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import {
  FIRST,
  THIRD as HOOKED,
  FOURTH as LAST,
  SECOND,
  THIRD,
  working,
} from "../../../testing/drivers/working-session.ts";

const CONVERSATION = "11111111-2222-4333-8444-000000000009";

test("delivery steer sends the message at once in a turn, and reports it as merged when Claude merges it into the turn", async () => {
  const session = await working();
  await session.say(assistantLine("m", toolBlock("t", "Bash")));
  session.message("second", { message_id: SECOND, delivery: "steer" });
  expect(session.sentTexts).toEqual(["first", "second"]);
  await session.say(toolResultLine("t", "done"), echoLine(SECOND, "second"), resultLine());
  expect(session.receipts(SECOND)).toEqual(["queued", "started", "completed merged"]);
  const ends = session.of("message_status").filter(({ status }) => status === "completed");
  expect(ends.map(({ message_id }) => message_id)).toEqual([FIRST, SECOND]);
  expect(session.of("turn_complete")).toMatchObject([{ message_ids: [FIRST, SECOND] }]);
});

test("delivery steer gives the message the next turn when Claude starts it after the current turn", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND, delivery: "steer" });
  await session.say(resultLine());
  expect(session.receipts(SECOND)).toEqual(["queued"]);
  await session.say(initLine(), echoLine(SECOND, "second"), resultLine());
  expect(session.receipts(SECOND)).toEqual(["queued", "started", "completed"]);
  expect(session.of("turn_complete")).toMatchObject([
    { message_ids: [FIRST] },
    { message_ids: [SECOND] },
  ]);
});

test("delivery steer completes all messages of a turn that a hook blocks before the last echo", async () => {
  const session = await working();
  for (const message_id of [SECOND, HOOKED])
    session.message("more", { message_id, delivery: "steer" });
  session.message("last", { message_id: LAST });
  await session.say(resultLine());
  // So 2.1.197 does: the echo of the last message would come with the model's answer.
  await session.say(echoLine(SECOND, "more"), initLine(), resultLine({ result: "blocked" }));
  expect(session.receipts(SECOND)).toEqual(["queued", "started", "completed"]);
  expect(session.receipts(HOOKED)).toEqual(["queued", "started", "completed merged"]);
  expect(session.of("turn_complete").at(-1)).toMatchObject({ message_ids: [SECOND, HOOKED] });
  expect(session.sentTexts.at(-1)).toBe("last");
});

test("delivery steer does not complete a message with a turn whose messages were all named by command_lifecycle", async () => {
  const session = await working();
  for (const message_id of [SECOND, HOOKED])
    session.message("more", { message_id, delivery: "steer" });
  await session.say(resultLine(), echoLine(SECOND, "more"));
  for (const command_uuid of [SECOND, HOOKED])
    await session.say({ type: "command_lifecycle", state: "started", command_uuid });
  await session.say(initLine());
  session.message("last", { message_id: LAST, delivery: "steer" });
  await session.say(resultLine({ result: "blocked by hook" }));
  expect(session.receipts(HOOKED)).toEqual(["queued", "started", "completed merged"]);
  expect(session.receipts(LAST)).toEqual(["queued"]);
});

test("delivery steer starts a turn like any other message when Claude is idle", async () => {
  const session = await startSession();
  session.message("first", { message_id: FIRST, delivery: "steer" });
  expect(session.of("turn_started")).toMatchObject([{ message_ids: [FIRST], trigger: "user" }]);
});

test("a steered message is queued until the end of a turn that already has 1024 messages", async () => {
  const session = await working();
  for (let at = 1; at < 1024; at += 1) {
    const message_id = crypto.randomUUID();
    session.message("more", { message_id, delivery: "steer" });
    await session.say(echoLine(message_id, "more"));
  }
  session.message("second", { message_id: SECOND, delivery: "steer" });
  expect(session.sentTexts).toHaveLength(1024);
  await session.say(resultLine());
  expect(session.sentTexts.slice(1024)).toEqual(["second"]);
  expect(session.receipts(SECOND)).toEqual(["queued", "started"]);
});

test("a steered message counts towards max_queued until Claude has started it", async () => {
  const session = await working({ init: { options: { max_queued: 1 } } });
  session.message("second", { message_id: SECOND, delivery: "steer" });
  session.message("third", { message_id: THIRD, delivery: "steer" });
  expect(session.receipts(THIRD)).toEqual(["rejected"]);
  expect(session.of("error")).toMatchObject([{ code: "queue_full", message_id: THIRD }]);
});

test("a steered message fails after 30 seconds when Claude never starts it, and the next message is sent", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND, delivery: "steer" });
  session.message("third", { message_id: THIRD });
  await session.say(resultLine());
  expect(session.state).toBe("running");
  session.clock.advance(29_999);
  expect(session.sentTexts).toEqual(["first", "second"]);
  session.clock.advance(1);
  expect(session.receipts(SECOND)).toEqual(["queued", "failed"]);
  expect(session.sentTexts).toEqual(["first", "second", "third"]);
});

test("a steered message does not time out once Claude has confirmed it, however late its turn starts", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND, delivery: "steer" });
  session.message("third", { message_id: THIRD, delivery: "steer" });
  await session.say(resultLine());
  await session.say({ type: "command_lifecycle", state: "started", command_uuid: SECOND });
  session.clock.advance(30_000);
  expect(session.receipts(SECOND)).toEqual(["queued"]);
  expect(session.receipts(THIRD)).toEqual(["queued", "failed"]);
  await session.say(initLine(), resultLine());
  expect(session.receipts(SECOND)).toEqual(["queued", "started", "completed"]);
});

test.each([
  ["times out when Claude echoes it", [echoLine(SECOND, "second")], ["queued", "failed"]],
  ["does not time out once Claude starts its turn", [initLine()], ["queued"]],
])("a steered message between turns %s", async (_name, lines, receipts) => {
  const session = await working();
  session.message("second", { message_id: SECOND, delivery: "steer" });
  await session.say(resultLine(), ...lines);
  session.clock.advance(60_000);
  expect(session.receipts(SECOND)).toEqual(receipts);
});

test("a message id that the resumed conversation already has is rejected when Claude echoes it without a turn, and the next message is sent", async () => {
  const session = await startSession({
    init: { session: { mode: "resume", session_id: CONVERSATION } },
  });
  session.message("first", { message_id: FIRST });
  session.message("second", { message_id: SECOND });
  await session.say(echoLine(FIRST, "first"));
  expect(session.receipts(FIRST)).toEqual(["queued", "started", "rejected"]);
  expect(session.of("error")).toMatchObject([{ code: "message_rejected", message_id: FIRST }]);
  expect(session.of("turn_cancelled")).toMatchObject([{ reason: "rejected" }]);
  expect(session.sentTexts).toEqual(["first", "second"]);
});

test("delivery replace replaces the queued replace message, also in a full queue", async () => {
  const session = await working({ init: { options: { max_queued: 1 } } });
  session.message("second", { message_id: SECOND, delivery: "replace" });
  session.message("third", { message_id: THIRD, delivery: "replace" });
  expect(session.receipts(SECOND)).toEqual(["queued", "cancelled replaced"]);
  await session.say(resultLine());
  expect(session.sentTexts).toEqual(["first", "third"]);
});

test("delivery replace does not replace queued messages with another delivery", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND });
  session.message("third", { message_id: THIRD, delivery: "replace" });
  expect(session.receipts(SECOND)).toEqual(["queued"]);
});

const cancel = (session: TestSession, message_id: string) =>
  session.session.handleCancelMessage({ type: "cancel_message", message_id, id: "cancel" });

test("cancel_message removes a queued message", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND });
  cancel(session, SECOND);
  expect(session.receipts(SECOND)).toEqual(["queued", "cancelled withdrawn"]);
  expect(session.of("control_result")).toMatchObject([{ ok: true, in_reply_to: "cancel" }]);
  await session.say(resultLine());
  expect(session.sentTexts).toEqual(["first"]);
});

test.each([
  ["that is running", FIRST, "too_late"],
  ["that nobody sent", THIRD, "unknown_message"],
])("cancel_message is refused for a message %s", async (_name, id, error) => {
  const session = await working();
  const emitted = await session.emittedBy(() => cancel(session, id));
  expect(emitted).toMatchObject([
    { type: "control_result", subtype: "cancel_message", ok: false, error },
  ]);
});

test.each([
  [true, { ok: true }, ["queued", "cancelled withdrawn"]],
  [false, { ok: false, error: "too_late" }, ["queued"]],
])(
  "cancel_message asks Claude to cancel a steered message (cancelled: %p)",
  async (cancelled, result, receipts) => {
    const session = await working();
    session.message("second", { message_id: SECOND, delivery: "steer" });
    cancel(session, SECOND);
    expect(session.requestOf("cancel_async_message")).toHaveProperty(
      "request.message_uuid",
      SECOND,
    );
    await session.answerTo("cancel_async_message", { response: { cancelled } });
    expect(session.of("control_result")).toMatchObject([{ ...result, in_reply_to: "cancel" }]);
    expect(session.receipts(SECOND)).toEqual(receipts);
  },
);

test("cancel_message is refused at once for a steered message when the CLI cannot cancel messages", async () => {
  const session = await working({}, initLine({ claude_code_version: "2.1.38" }));
  session.message("second", { message_id: SECOND, delivery: "steer" });
  const emitted = await session.emittedBy(() => cancel(session, SECOND));
  expect(emitted).toMatchObject([{ type: "control_result", ok: false }]);
  expect(String(emitted[0]?.["error"])).toStartWith("unsupported: claude 2.1.38");
});
