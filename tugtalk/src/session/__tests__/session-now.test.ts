/** Delivery `now`: the open turn is interrupted, and the message goes before all that waits (§10). */
import { describe, expect, test } from "bun:test";
import {
  echoLine,
  initLine,
  interruptedLine,
  promptLine,
  resultLine,
  wakeUpLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { FIRST, FOURTH, SECOND, THIRD, working } from "../../../testing/drivers/working-session.ts";

/** The host sends a message that is to be delivered now. */
const sendNow = (session: TestSession, text = "now", message_id = FOURTH) =>
  session.message(text, { message_id, delivery: "now" });

const interrupts = (session: TestSession) => session.requestsOf("interrupt").length;

test("delivery now interrupts the open turn as an interrupt of the host does, and its turn is the next", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND });
  const written = await session.writtenBy(() => sendNow(session));
  expect(written).toMatchObject([{ request: { subtype: "interrupt" } }]);
  await session.answerTo("interrupt");
  await session.say(interruptedLine());
  expect(session.of("turn_complete")).toMatchObject([
    { result: "cancelled", message_ids: [FIRST] },
  ]);
  expect(session.sentTexts).toEqual(["first", "now"]);
  await session.say(initLine(), resultLine());
  expect(session.sentTexts).toEqual(["first", "now", "second"]);
  expect(session.receipts(FOURTH)).toEqual(["queued", "started", "completed"]);
  expect(interrupts(session)).toBe(1);
});

test("delivery now writes an ordinary message to Claude, without a priority", async () => {
  const session = await working();
  sendNow(session);
  await session.say(interruptedLine());
  expect(session.lastWrite).toMatchObject({ type: "user", uuid: FOURTH });
  expect(session.lastWrite).not.toHaveProperty("priority");
});

test("delivery now delivers the message at once when Claude is idle", async () => {
  const session = await startSession();
  sendNow(session);
  expect(session.sentTexts).toEqual(["now"]);
  expect(interrupts(session)).toBe(0);
});

test("of several messages with delivery now, the latest is delivered first, and no earlier one interrupts", async () => {
  const session = await working();
  session.message("queued", { message_id: SECOND });
  sendNow(session, "one", THIRD);
  sendNow(session, "two");
  await session.say(interruptedLine(), initLine());
  expect(session.sentTexts).toEqual(["first", "two"]);
  expect(interrupts(session)).toBe(1);
  await session.say(resultLine(), initLine(), resultLine());
  expect(session.sentTexts).toEqual(["first", "two", "one", "queued"]);
  expect(interrupts(session)).toBe(1);
});

test("delivery now interrupts the started turn of an earlier message with delivery now", async () => {
  const session = await working();
  sendNow(session, "one", THIRD);
  await session.say(interruptedLine(), initLine());
  sendNow(session, "two");
  expect(interrupts(session)).toBe(2);
  await session.say(interruptedLine());
  expect(session.sentTexts).toEqual(["first", "one", "two"]);
});

test("delivery now counts as queued: in a full queue the message is rejected, and the turn goes on", async () => {
  const session = await working({ init: { options: { max_queued: 1 } } });
  session.message("second", { message_id: SECOND });
  sendNow(session);
  expect(session.of("error")).toMatchObject([{ code: "queue_full", message_id: FOURTH }]);
  expect(session.receipts(FOURTH)).toEqual(["rejected"]);
  expect(interrupts(session)).toBe(0);
});

test.each([undefined, "queue", "steer"] as const)(
  "a message with delivery %s waits behind one with delivery now that waits already",
  async (delivery) => {
    const session = await working();
    sendNow(session);
    session.message("third", { message_id: THIRD, delivery });
    expect(session.sentTexts).toEqual(["first"]);
    await session.say(interruptedLine(), initLine(), resultLine());
    expect(session.sentTexts).toEqual(["first", "now", "third"]);
  },
);

test("a message with delivery replace replaces an earlier one behind one with delivery now", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND, delivery: "replace" });
  sendNow(session);
  session.message("third", { message_id: THIRD, delivery: "replace" });
  expect(session.receipts(SECOND)).toEqual(["queued", "cancelled replaced"]);
  await session.say(interruptedLine(), initLine(), resultLine());
  expect(session.sentTexts).toEqual(["first", "now", "third"]);
});

test("a waiting message with delivery now that is withdrawn leaves the next turn alone", async () => {
  const session = await working();
  session.message("second", { message_id: SECOND });
  sendNow(session);
  const cancel = { type: "cancel_message", message_id: FOURTH, id: "cancel" } as const;
  session.session.handleCancelMessage(cancel);
  expect(session.receipts(FOURTH)).toEqual(["queued", "cancelled withdrawn"]);
  await session.say(interruptedLine(), initLine());
  expect(session.sentTexts).toEqual(["first", "second"]);
  expect(interrupts(session)).toBe(1);
});

test("a waiting message with delivery now is withdrawn by an interrupt with cancel_queued only", async () => {
  const session = await working();
  sendNow(session);
  session.interrupt({ id: "plain" });
  await session.answerTo("interrupt");
  session.interrupt({ id: "all", cancel_queued: true });
  await session.answerTo("interrupt");
  expect(session.of("control_result")).toMatchObject([
    { in_reply_to: "plain", still_queued: [FOURTH] },
    { in_reply_to: "all", still_queued: [], cancelled: [FOURTH] },
  ]);
  await session.say(interruptedLine());
  expect(session.sentTexts).toEqual(["first"]);
});

test("delivery now sends no second interrupt while Claude has not answered an earlier one", async () => {
  const session = await working();
  session.interrupt({ id: "stop" });
  sendNow(session);
  expect(interrupts(session)).toBe(1);
  await session.answerTo("interrupt");
  expect(session.of("control_result")).toMatchObject([{ ok: true, still_queued: [FOURTH] }]);
  await session.say(interruptedLine());
  expect(session.sentTexts).toEqual(["first", "now"]);
});

test("delivery now interrupts a turn that had not begun again when it begins, since Claude has kept its message", async () => {
  const session = await startSession();
  session.message("first", { message_id: FIRST });
  sendNow(session);
  await session.answerTo("interrupt", { response: { still_queued: [FIRST] } });
  expect(interrupts(session)).toBe(1);
  await session.say(initLine());
  expect(interrupts(session)).toBe(2);
  await session.say(interruptedLine());
  expect(session.sentTexts).toEqual(["first", "now"]);
});

test("delivery now closes a prompt as interrupted when Claude withdraws it", async () => {
  const session = await working();
  await session.say(promptLine("r"));
  sendNow(session);
  await session.say({ type: "control_cancel_request", request_id: "r" });
  expect(session.of("control_request_cancel")).toMatchObject([
    { request_id: "r", reason: "interrupted" },
  ]);
  await session.say(interruptedLine());
  expect(session.sentTexts).toEqual(["first", "now"]);
});

test("delivery now goes on after a compaction that Claude reports as a success", async () => {
  const session = await startSession();
  session.message("/compact", { message_id: FIRST });
  await session.say(initLine(), { type: "system", subtype: "status", status: "compacting" });
  sendNow(session);
  await session.answerTo("interrupt", { response: { still_queued: [] } });
  await session.say(resultLine({ result: "" }));
  expect(session.of("turn_complete")).toMatchObject([{ result: "success" }]);
  expect(session.sentTexts).toEqual(["/compact", "now"]);
});

test("delivery now interrupts a turn that Claude begins by itself before the message", async () => {
  const session = await working();
  await session.say(wakeUpLine());
  sendNow(session);
  expect(interrupts(session)).toBe(1);
  await session.say(initLine());
  expect(interrupts(session)).toBe(2);
  await session.say(interruptedLine(), interruptedLine());
  expect(session.sentTexts).toEqual(["first", "now"]);
});

describe("delivery now and a steered message", () => {
  async function steered(version = "2.1.330"): Promise<TestSession> {
    const session = await working({}, initLine({ claude_code_version: version }));
    session.message("second", { message_id: SECOND, delivery: "steer" });
    return session;
  }

  test("Claude is asked to return it before the interrupt, and it is cancelled as interrupted", async () => {
    const session = await steered();
    const written = await session.writtenBy(() => sendNow(session));
    expect(written).toMatchObject([
      { request: { subtype: "cancel_async_message", message_uuid: SECOND } },
      { request: { subtype: "interrupt" } },
    ]);
    await session.answerTo("cancel_async_message", { response: { cancelled: true } });
    expect(session.receipts(SECOND)).toEqual(["queued", "cancelled interrupted"]);
    await session.answerTo("interrupt", { response: { still_queued: [] } });
    await session.say(interruptedLine());
    expect(session.sentTexts).toEqual(["first", "second", "now"]);
  });

  test.each(["2.1.38", "2.1.330"])(
    "its turn is interrupted as well where claude %s does not return it",
    async (version) => {
      const session = await steered(version);
      sendNow(session);
      if (version !== "2.1.38")
        await session.answerTo("cancel_async_message", { response: { cancelled: false } });
      await session.say(interruptedLine());
      expect(session.sentTexts).toEqual(["first", "second"]);
      await session.say(initLine(), echoLine(SECOND, "second"));
      expect(interrupts(session)).toBe(2);
      await session.say(interruptedLine());
      expect(session.receipts(SECOND)).toEqual(["queued", "started", "completed"]);
      expect(session.sentTexts).toEqual(["first", "second", "now"]);
    },
  );

  test("one that waits between turns is returned, and the message goes before it", async () => {
    const session = await steered();
    await session.say(resultLine());
    const written = await session.writtenBy(() => sendNow(session));
    expect(written).toMatchObject([{ request: { subtype: "cancel_async_message" } }]);
    await session.answerTo("cancel_async_message", { response: { cancelled: true } });
    expect(session.sentTexts).toEqual(["first", "second", "now"]);
  });

  test("one that Claude has read in the turn is completed with it", async () => {
    const session = await steered();
    await session.say(echoLine(SECOND, "second"));
    const written = await session.writtenBy(() => sendNow(session));
    expect(written).toMatchObject([{ request: { subtype: "interrupt" } }]);
    await session.say(interruptedLine());
    expect(session.receipts(SECOND)).toEqual(["queued", "started", "completed merged"]);
  });
});

describe("delivery now while the process changes", () => {
  test("it is the first message of a process that starts", async () => {
    const session = await startSession({ isReady: false });
    session.message("first", { message_id: FIRST });
    sendNow(session);
    expect(interrupts(session)).toBe(0);
    await session.initialize();
    expect(session.sentTexts).toEqual(["now"]);
    await session.say(initLine(), resultLine());
    expect(session.sentTexts).toEqual(["now", "first"]);
  });

  test("it starts Claude again, and is the first message", async () => {
    const session = await working();
    session.message("second", { message_id: SECOND });
    sendNow(session);
    await session.crash();
    expect(session.of("turn_cancelled")).toMatchObject([{ reason: "exited" }]);
    expect(session.starts).toHaveLength(2);
    await session.initialize();
    expect(session.sentTexts).toEqual(["now"]);
    expect(interrupts(session)).toBe(0);
  });

  test("it goes to the next process when Claude does not end the turn in time", async () => {
    const session = await working();
    session.message("second", { message_id: SECOND });
    sendNow(session);
    session.clock.advance(10_000);
    await session.settle();
    await session.exit();
    expect(session.of("turn_cancelled")).toMatchObject([{ reason: "stalled" }]);
    await session.initialize();
    expect(session.sentTexts).toEqual(["now"]);
  });

  test("during a session_command it is the first message of the other conversation", async () => {
    const session = await working();
    session.command("new");
    await session.settle();
    session.message("second", { message_id: SECOND });
    const written = await session.writtenBy(() => sendNow(session));
    expect(written).toEqual([]);
    await session.say(interruptedLine());
    await session.exit();
    await session.initialize();
    expect(session.sentTexts).toEqual(["now"]);
    expect(interrupts(session)).toBe(0);
  });

  test("a session_command cancels it while it waits", async () => {
    const session = await working();
    sendNow(session);
    await session.change("new");
    expect(session.receipts(FOURTH)).toEqual(["queued", "cancelled session_command"]);
  });

  test("a shutdown with drain gives it its turn, and the messages behind it", async () => {
    const session = await working();
    session.message("second", { message_id: SECOND });
    sendNow(session);
    void session.session.shutdown(true, true);
    await session.say(interruptedLine(), initLine(), resultLine(), initLine(), resultLine());
    expect(session.sentTexts).toEqual(["first", "now", "second"]);
    await session.exit();
  });
});
