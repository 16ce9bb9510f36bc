/** User messages of a session: sent at once or queued, and the answers to repeated commands. */
import { describe, expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { JournalError } from "../../journal/journal-error.ts";
import { prompt, status, turnComplete, turnStarted, wholeTurn } from "./support/bridge-words.ts";
import {
  openInTurn,
  openSession,
  reducedOf,
  SessionHarness,
  STARTED,
} from "./support/session-harness.ts";

/** A session whose Claude is in a turn. */
async function inTurn() {
  const { harness, session, message_id } = await openInTurn();
  const endTurn = () =>
    harness.say(turnComplete("t1", [message_id]), status(message_id, "completed"));
  const sent = () => harness.bridge.sentOf("user_message").map(({ text }) => text);
  return { harness, session, endTurn, sent };
}

describe("a message", () => {
  test("that is to steer is a message like others where no turn is open", async () => {
    const { harness, session } = await openSession();
    expect(await session.message({ message: "One", delivery: "steer" })).toMatchObject({
      status: "sent",
    });
    expect(harness.bridge.sentOf("user_message")[0]).not.toHaveProperty("delivery");
    expect(await session.message({ message: "Two" })).toMatchObject({ status: "queued" });
  });

  test("keeps its attachments while it waits", async () => {
    const { session, endTurn, harness } = await inTurn();
    const attachments = [{ filename: "a.txt", content: "text", media_type: "text/plain" }];
    await session.message({ message: "See", attachments });
    expect(await session.queue()).toMatchObject([
      { attachments: [{ filename: "a.txt", media_type: "text/plain" }] },
    ]);
    await endTurn();
    expect(harness.bridge.sentOf("user_message").at(-1)).toMatchObject({
      text: "See",
      attachments,
    });
  });

  test("goes on by itself when the turn has ended, also while work in the background asks a person", async () => {
    const { session, endTurn, sent, harness } = await inTurn();
    await session.message({ message: "Two" });
    harness.bridge.say(prompt("r9"));
    await endTurn();
    expect(await session.prompts()).toHaveLength(1);
    expect(sent()).toEqual(["One", "Two"]);
  });

  test("waits for the last receipt of the one before, not only for the end of its turn", async () => {
    const { harness, session, sent } = await inTurn();
    await session.message({ message: "Two" });
    await harness.say(turnComplete());
    expect(sent()).toEqual(["One"]);
  });

  test("that is blank is refused, and one with an attachment only is not", async () => {
    const { session } = await inTurn();
    expect(await failureOf(session.message({ message: "  " }))).toMatchObject({ status: 400 });
    const attachments = [{ filename: "a.txt", content: "text", media_type: "text/plain" }];
    expect(await session.message({ message: "", attachments })).toMatchObject({ status: "queued" });
  });

  test("is refused when too much waits", async () => {
    const { session } = await inTurn();
    for (let count = 0; count < 100; count += 1) await session.message({ message: "Again" });
    const full = { status: 429, code: "queue_full" };
    expect(await failureOf(session.message({ message: "Again" }))).toMatchObject(full);
    const [first] = await session.queue();
    await session.deleteQueued(first?.message_id ?? "");
    const message = "x".repeat(64 * 1024 * 1024);
    expect(await failureOf(session.message({ message }))).toMatchObject(full);
  });

  test("may take the place of one that waits in a full queue", async () => {
    const { session } = await inTurn();
    await session.message({ message: "x".repeat(40 * 1024 * 1024), delivery: "replace" });
    for (let count = 1; count < 100; count += 1) await session.message({ message: "Again" });
    const message = "y".repeat(40 * 1024 * 1024);
    const receipt = await session.message({ message, delivery: "replace" });
    expect(receipt).toMatchObject({ status: "queued", position: 1 });
    const last = (await session.queue()).at(-1)?.message_id ?? "";
    expect(await failureOf(session.editQueued(last, message))).toMatchObject({
      code: "queue_full",
    });
  });

  test("that the journal does not take does not wait", async () => {
    const { session, harness, endTurn, sent } = await inTurn();
    const { commit } = harness.journal;
    harness.journal.commit = async () => {
      throw new JournalError("the disk is full");
    };
    expect(await failureOf(session.message({ message: "Lost" }))).toBeInstanceOf(JournalError);
    harness.journal.commit = commit;
    expect(await session.queue()).toEqual([]);
    await endTurn();
    expect(sent()).toEqual(["One"]);
  });
});

describe("the queue", () => {
  test("gives a message to the open turn on demand, and without one sends it before all others", async () => {
    const { session, harness, endTurn, sent } = await inTurn();
    const [a, b, c] = await Promise.all(
      ["A", "B", "C"].map((message) => session.message({ message })),
    );
    const steered = await session.sendQueued(b?.message_id ?? "", "steer");
    expect(steered).toEqual({ status: "sent", message_id: b?.message_id ?? "" });
    expect(harness.bridge.sentOf("user_message").at(-1)).toMatchObject({
      text: "B",
      delivery: "steer",
    });
    expect((await session.queue()).map(({ message_id }) => message_id)).toEqual([
      a?.message_id ?? "",
      c?.message_id ?? "",
    ]);
    expect((await reducedOf(session)).queue.map(({ text }) => text)).toEqual(["B", "A", "C"]);
    await endTurn();
    expect(sent()).toEqual(["One", "B", "A"]);
    expect(await session.sendQueued(c?.message_id ?? "", "steer")).toMatchObject({
      status: "queued",
      position: 1,
    });
  });
});

test("a message that is taken out while Claude starts was not sent", async () => {
  const { session, harness, sent } = await inTurn();
  await harness.endBridge();
  const receipts = [
    session.message({ message: "Two", clientMessageId: "c2" }),
    session.message({ message: "Three" }),
  ];
  expect(await session.interrupt({ includeBackground: false })).toMatchObject({
    queued: ["Two", "Three"],
  });
  const again = session.message({ message: "Two", clientMessageId: "c2" });
  expect(await Promise.all([...receipts, again])).toMatchObject([
    { status: "returned" },
    { status: "returned" },
    { status: "returned" },
  ]);
  expect(sent()).toEqual([]);
});

describe("a command that comes again", () => {
  test("gets the same receipt, and the message is sent once", async () => {
    const { session, harness } = await inTurn();
    const message = { message: "Two", clientMessageId: "c1" };
    const [one, other] = await Promise.all([session.message(message), session.message(message)]);
    expect(other).toEqual(one);
    await harness.restart();
    expect(await harness.sessions.get(session.id).message(message)).toEqual(one);
    expect(await harness.sessions.get(session.id).queue()).toHaveLength(1);
  });

  test("is refused with another body, also after a restart of the host", async () => {
    const { session, harness } = await inTurn();
    await session.message({ message: "Two", clientMessageId: "c1" });
    const other = { message: "Three", clientMessageId: "c1" };
    expect(await failureOf(session.message(other))).toMatchObject({ status: 409 });
    await harness.restart();
    const again = harness.sessions.get(session.id);
    expect(await failureOf(again.message(other))).toMatchObject({ status: 409 });
  });

  test("is refused with another body in the same moment", async () => {
    const { session } = await inTurn();
    const others = ["Three", "Four"].map((message) => ({ message, clientMessageId: "c1" }));
    // The first message is being written while the others gather.
    const [first, second, third] = await Promise.allSettled(
      [{ message: "Two" }, ...others].map((message) => session.message(message)),
    );
    expect([first?.status, second?.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(third).toMatchObject({ reason: { status: 409, code: "client_msg_id_used" } });
    expect(await session.queue()).toHaveLength(2);
  });

  test("of a message that Claude had to be started for gets the receipt that it was sent", async () => {
    const { session, harness } = await inTurn();
    await harness.endBridge();
    const message = { message: "Two", clientMessageId: "c1" };
    const one = await session.message(message);
    expect(one.status).toBe("sent");
    expect(await session.message(message)).toEqual(one);
    expect(harness.bridge.sentOf("user_message")).toHaveLength(1);
  });

  test("of a message that waits after a failed start gets the receipt that it waits, also once it was sent", async () => {
    const { session, harness } = await inTurn();
    await harness.endBridge();
    harness.start = [
      { type: "error", code: "claude_not_found", message: "no", recoverable: false },
    ];
    const message = { message: "Two", clientMessageId: "c1" };
    const one = await session.message(message);
    expect(one.status).toBe("queued");
    harness.start = STARTED;
    expect(await session.sendQueued(one.message_id, "queue")).toMatchObject({ status: "sent" });
    expect(await session.message(message)).toEqual(one);
  });

  test("creates one session for a request id", async () => {
    const harness = await SessionHarness.open();
    const wanted = { dir: "/work", place: "local", request_id: "q1" };
    const created = [harness.sessions.create(wanted), harness.sessions.create(wanted)];
    const [one, other] = await Promise.all(created);
    await harness.restart();
    const again = await harness.sessions.create(wanted);
    expect([other?.id, again.id]).toEqual([one?.id, one?.id]);
    expect(harness.sessions.list()).toHaveLength(1);
  });
});

test("a turn that Claude has begun by itself lets a message wait", async () => {
  const { harness, session } = await openSession();
  await harness.say({ ...turnStarted(), trigger: "task" });
  expect(await session.message({ message: "One" })).toMatchObject({ status: "queued" });
  await harness.say(turnComplete());
  expect(harness.bridge.sentOf("user_message")).toHaveLength(1);
});

test("the title of a session is the beginning of its first message, until it has another", async () => {
  const { harness, session } = await openSession();
  const { message_id } = await session.message({ message: "Mend the gate\nsoon" });
  await harness.say(...wholeTurn("t1", message_id, "Mend the gate\nsoon"));
  expect(session.info()).toMatchObject({
    title: "Mend the gate",
    last_text: "You said: Mend the gate\nsoon",
  });
  await session.rename("Gate");
  expect(session.info().title).toBe("Gate");
  expect((await reducedOf(session)).title).toBe("Gate");
});

test("a title is not cut within a character", async () => {
  const session = await (await SessionHarness.open()).create();
  await session.message({ message: `${"x".repeat(78)}${"\u{1F40B}".repeat(9)}` });
  expect(session.info().title).toBe(`${"x".repeat(78)}…`);
});
