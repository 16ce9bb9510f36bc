/** User messages of a session: what goes at once, what waits, and what is told when a command comes again. */
import { describe, expect, test } from "bun:test";
import { JournalError } from "../../journal/journal-error.ts";
import { prompt, status, turnComplete, turnStarted, wholeTurn } from "./support/bridge-words.ts";
import { reducedOf, SessionHarness, STARTED, settled } from "./support/session-harness.ts";

/** A session whose Claude is in a turn. */
async function inTurn() {
  const harness = new SessionHarness();
  const session = await harness.create();
  const { message_id } = await session.message({ message: "One" });
  harness.bridge.say(turnStarted("t1", [message_id]), status(message_id, "started"));
  await settled();
  const endTurn = async () => {
    harness.bridge.say(turnComplete("t1", [message_id]), status(message_id, "completed"));
    await settled();
  };
  const sent = () => harness.bridge.sentOf("user_message").map(({ text }) => text);
  return { harness, session, endTurn, sent };
}

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "no refusal",
    (error: unknown) => error,
  );
}

describe("a message", () => {
  test("that is to steer goes into the open turn at once, before what waits", async () => {
    const { session, sent, harness } = await inTurn();
    await session.message({ message: "Later" });
    const receipt = await session.message({ message: "Stop that", delivery: "steer" });
    expect(receipt.status).toBe("sent");
    expect(sent()).toEqual(["One", "Stop that"]);
    expect(harness.bridge.sentOf("user_message").at(-1)).toMatchObject({ delivery: "steer" });
    expect(session.queue()).toMatchObject([{ message: "Later" }]);
  });

  test("that is to steer is a message like others where no turn is open", async () => {
    const harness = new SessionHarness();
    const session = await harness.create();
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
    expect(session.queue()).toMatchObject([
      { attachments: [{ filename: "a.txt", media_type: "text/plain" }] },
    ]);
    await endTurn();
    expect(harness.bridge.sentOf("user_message").at(-1)).toMatchObject({
      text: "See",
      attachments,
    });
  });

  test("that replaces takes the place of the one that waits, which is never sent", async () => {
    const { session, endTurn, sent } = await inTurn();
    await session.message({ message: "Old", delivery: "replace" });
    expect(await session.message({ message: "New", delivery: "replace" })).toMatchObject({
      position: 1,
    });
    await endTurn();
    expect(sent()).toEqual(["One", "New"]);
  });

  test("goes on by itself when the turn has ended, also while work in the background asks a person", async () => {
    const { session, endTurn, sent, harness } = await inTurn();
    await session.message({ message: "Two" });
    harness.bridge.say(prompt("r9"));
    await endTurn();
    expect(session.pending()).toHaveLength(1);
    expect(sent()).toEqual(["One", "Two"]);
  });

  test("waits for the last receipt of the one before, not only for the end of its turn", async () => {
    const { harness, session, sent } = await inTurn();
    await session.message({ message: "Two" });
    harness.bridge.say(turnComplete());
    await settled();
    expect(sent()).toEqual(["One"]);
  });

  test("that is blank is refused, and one with an attachment only is not", async () => {
    const { session } = await inTurn();
    expect(await refusal(session.message({ message: "  " }))).toMatchObject({ status: 400 });
    const attachments = [{ filename: "a.txt", content: "text", media_type: "text/plain" }];
    expect(await session.message({ message: "", attachments })).toMatchObject({ status: "queued" });
  });

  test("is refused when too much waits", async () => {
    const { session } = await inTurn();
    for (let count = 0; count < 100; count += 1) await session.message({ message: "Again" });
    const full = { status: 429, code: "queue_full" };
    expect(await refusal(session.message({ message: "Again" }))).toMatchObject(full);
    session.deleteQueued(session.queue()[0]?.message_id ?? "");
    const message = "x".repeat(64 * 1024 * 1024);
    expect(await refusal(session.message({ message }))).toMatchObject(full);
  });

  test("may take the place of one that waits in a full queue", async () => {
    const { session } = await inTurn();
    await session.message({ message: "x".repeat(40 * 1024 * 1024), delivery: "replace" });
    for (let count = 1; count < 100; count += 1) await session.message({ message: "Again" });
    const message = "y".repeat(40 * 1024 * 1024);
    const receipt = await session.message({ message, delivery: "replace" });
    expect(receipt).toMatchObject({ status: "queued", position: 1 });
    const last = session.queue().at(-1)?.message_id ?? "";
    expect(() => session.editQueued(last, message)).toThrow("too long together");
  });

  test("that the journal does not take does not wait", async () => {
    const { session, harness, endTurn, sent } = await inTurn();
    const { commit } = harness.journal;
    harness.journal.commit = () => {
      throw new JournalError("the disk is full");
    };
    expect(await refusal(session.message({ message: "Lost" }))).toBeInstanceOf(JournalError);
    harness.journal.commit = commit;
    expect(session.queue()).toEqual([]);
    await endTurn();
    expect(sent()).toEqual(["One"]);
  });
});

describe("the queue", () => {
  test("is edited, reordered and shortened while it waits, and clients see the same", async () => {
    const { session, endTurn, sent } = await inTurn();
    const ids: string[] = [];
    for (const message of ["A", "B", "C"])
      ids.push((await session.message({ message })).message_id);
    const [a = "", b = "", c = ""] = ids;
    session.editQueued(a, "A2");
    session.deleteQueued(b);
    expect(await session.sendQueued(c, "queue")).toMatchObject({ status: "queued", position: 1 });
    expect(session.queue().map(({ message }) => message)).toEqual(["C", "A2"]);
    const shown = reducedOf(session).queue.filter(({ isSent }) => isSent !== true);
    expect(shown.map(({ text }) => text)).toEqual(["C", "A2"]);
    await endTurn();
    expect(sent()).toEqual(["One", "C"]);
    expect(() => session.editQueued(c, "late")).toThrow("does not wait");
  });

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
    expect(session.queue().map(({ message_id }) => message_id)).toEqual([
      a?.message_id ?? "",
      c?.message_id ?? "",
    ]);
    expect(reducedOf(session).queue.map(({ text }) => text)).toEqual(["B", "A", "C"]);
    await endTurn();
    expect(sent()).toEqual(["One", "B", "A"]);
    expect(await session.sendQueued(c?.message_id ?? "", "steer")).toMatchObject({
      status: "queued",
      position: 1,
    });
  });

  test("is given back by an interrupt, with what the bridge had not given to Claude", async () => {
    const { session, harness } = await inTurn();
    const steer = await session.message({ message: "Steer", delivery: "steer" });
    await session.message({ message: "Wait" });
    const { bridge } = harness;
    bridge.answers.set("interrupt", (draft) => {
      bridge.say(status(steer.message_id, "cancelled", { reason: "interrupted" }));
      return { ...draft, cancelled: [steer.message_id] };
    });
    const { queued, queued_messages } = await session.interrupt({ includeBackground: false });
    expect(queued).toEqual(["Steer", "Wait"]);
    expect(queued_messages).toMatchObject([{ message_id: steer.message_id }, { message: "Wait" }]);
    expect(session.queue()).toEqual([]);
  });
});

test("a message that is taken out while Claude starts was not sent", async () => {
  const { session, harness, sent } = await inTurn();
  harness.bridge.end();
  await settled();
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
    harness.restart();
    expect(await harness.sessions.get(session.id).message(message)).toEqual(one);
    expect(harness.sessions.get(session.id).queue()).toHaveLength(1);
  });

  test("is refused with another body, also after a restart of the host", async () => {
    const { session, harness } = await inTurn();
    await session.message({ message: "Two", clientMessageId: "c1" });
    const other = { message: "Three", clientMessageId: "c1" };
    expect(await refusal(session.message(other))).toMatchObject({ status: 409 });
    harness.restart();
    const again = harness.sessions.get(session.id);
    expect(await refusal(again.message(other))).toMatchObject({ status: 409 });
  });

  test("of a message that Claude had to be started for gets the receipt that it was sent", async () => {
    const { session, harness } = await inTurn();
    harness.bridge.end();
    await settled();
    const message = { message: "Two", clientMessageId: "c1" };
    const one = await session.message(message);
    expect(one.status).toBe("sent");
    expect(await session.message(message)).toEqual(one);
    expect(harness.bridge.sentOf("user_message")).toHaveLength(1);
  });

  test("of a message that waits after a failed start gets the receipt that it waits, also once it was sent", async () => {
    const { session, harness } = await inTurn();
    harness.bridge.end();
    await settled();
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
    const harness = new SessionHarness();
    const wanted = { dir: "/work", place: "local", requestId: "q1" };
    const created = [harness.sessions.create(wanted), harness.sessions.create(wanted)];
    const [one, other] = await Promise.all(created);
    harness.restart();
    const again = await harness.sessions.create(wanted);
    expect([other?.id, again.id]).toEqual([one?.id, one?.id]);
    expect(harness.sessions.list()).toHaveLength(1);
  });
});

test("a turn that Claude has begun by itself lets a message wait", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  harness.bridge.say({ ...turnStarted(), trigger: "task" });
  await settled();
  expect(await session.message({ message: "One" })).toMatchObject({ status: "queued" });
  harness.bridge.say(turnComplete());
  await settled();
  expect(harness.bridge.sentOf("user_message")).toHaveLength(1);
});

test("the title of a session is the beginning of its first message, until it has another", async () => {
  const harness = new SessionHarness();
  const session = await harness.create();
  const { message_id } = await session.message({ message: "Mend the gate\nsoon" });
  harness.bridge.say(...wholeTurn("t1", message_id, "Mend the gate\nsoon"));
  await settled();
  expect(session.info()).toMatchObject({
    title: "Mend the gate",
    last_text: "You said: Mend the gate\nsoon",
  });
  expect(session.rename("Gate").title).toBe("Gate");
  expect(reducedOf(session).title).toBe("Gate");
});

test("a title is not cut within a character", async () => {
  const session = await new SessionHarness().create();
  await session.message({ message: `${"x".repeat(78)}${"\u{1F40B}".repeat(9)}` });
  expect(session.info().title).toBe(`${"x".repeat(78)}…`);
});
