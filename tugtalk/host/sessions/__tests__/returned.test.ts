/** Messages of a person that Claude will not read stay with the host until somebody takes them back. */
import { describe, expect, test } from "bun:test";
import { initialSession, reduceSession } from "../../../client/reduce-session.ts";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { ApiError } from "../../api/api-error.ts";
import type { HostSession } from "../../api/host-session.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { processExit, status } from "./support/bridge-words.ts";
import { copiedJournal } from "./support/copied-journal.ts";
import {
  entriesOf,
  openInTurn,
  reducedOf,
  SessionHarness,
  settled,
} from "./support/session-harness.ts";

const ATTACHMENTS = [{ filename: "a.txt", content: "an attachment", media_type: "text/plain" }];
const STOP = { includeBackground: false };

/** A session in a turn, with a message that the bridge has and one that waits, both with an attachment. */
async function busy(journal = openJournal(":memory:")) {
  const { harness, session } = await openInTurn(journal);
  const steer = await session.message({
    message: "Steer",
    delivery: "steer",
    attachments: ATTACHMENTS,
  });
  const wait = await session.message({
    message: "Wait",
    attachments: ATTACHMENTS,
    clientMessageId: "c1",
  });
  return { harness, session, steer, wait };
}

/** Claude gives an unread message back. */
function givesBack({ bridge }: SessionHarness, messageId: string): void {
  bridge.answers.set("interrupt", (draft) => {
    bridge.say(status(messageId, "cancelled", { reason: "interrupted" }));
    return { ...draft, cancelled: [messageId] };
  });
}

async function refusalOf(run: () => unknown) {
  try {
    return { given: await run() };
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, code: error.code };
    throw error;
  }
}

/** The texts of the returned messages. Compares the three ways to read them first. */
async function returnedTexts(session: HostSession): Promise<(string | undefined)[]> {
  const { returned } = (await session.snapshot()).state;
  expect((await reducedOf(session)).returned).toEqual(returned);
  expect((await session.returned()).map(({ message_id }) => message_id)).toEqual(
    returned.map(({ messageId }) => messageId),
  );
  return returned.map(({ text }) => text);
}

test("the messages that Stop takes out are in the state, and each can be taken once, with its attachments", async () => {
  const { harness, session, steer, wait } = await busy();
  givesBack(harness, steer.message_id);
  const { queued, queued_messages } = await session.interrupt(STOP);
  expect(queued).toEqual(["Steer", "Wait"]);
  expect(await returnedTexts(session)).toEqual(["Wait", "Steer"]);
  expect((await session.snapshot()).state.queue).toEqual([]);
  expect((await session.snapshot()).state.returned[0]).toMatchObject({ files: ["a.txt"] });
  const [, waited] = queued_messages;
  expect(await session.readReturned(wait.message_id)).toEqual(waited as never);
  expect(await session.takeReturned(wait.message_id)).toMatchObject({
    message_id: wait.message_id,
    message: "Wait",
    attachments: ATTACHMENTS,
  });
  expect(await returnedTexts(session)).toEqual(["Steer"]);
  const again = { status: 409, code: "already_taken" };
  expect(await refusalOf(() => session.takeReturned(wait.message_id))).toEqual(again);
  expect(await refusalOf(() => session.takeReturned("other"))).toEqual({
    status: 404,
    code: "unknown_message",
  });
});

test("of two clients that take a message in the same moment one gets it, and the other learns that", async () => {
  const { session, wait } = await busy();
  await session.interrupt(STOP);
  const renamed = session.rename("Other");
  const take = () => refusalOf(() => session.takeReturned(wait.message_id));
  const [taken, refused] = await Promise.all([take(), take(), renamed]);
  expect(taken).toMatchObject({ given: { message: "Wait" } });
  expect(refused).toEqual({ status: 409, code: "already_taken" });
});

describe("a message that has started, and that Claude then gives back, is returned once, with its attachments,", () => {
  const started = (message_id: string) => [
    status(message_id, "started", { turn_id: "t1" }),
    { type: "user_text", turn_id: "t1", message_id, text: "Steer", kind: "host" },
  ];

  test.each(["before a Stop", "during a Stop"])("where it starts %s", async (when) => {
    const { harness, session, steer } = await busy();
    const { bridge } = harness;
    const { message_id } = steer;
    if (when === "before a Stop") await harness.say(...started(message_id));
    bridge.answers.set("interrupt", (draft) => {
      if (when === "during a Stop") bridge.say(...started(message_id));
      return { ...draft, cancelled: [message_id] };
    });
    const { queued, queued_messages } = await session.interrupt(STOP);
    expect(queued).toEqual(["Steer", "Wait"]);
    expect(queued_messages[0]).toMatchObject({ message_id, attachments: ATTACHMENTS });
    expect(await returnedTexts(session)).toEqual(["Wait", "Steer"]);
    expect((await session.takeReturned(message_id)).attachments).toEqual(ATTACHMENTS);
    const reason = "interrupted";
    await harness.say(status(message_id, "cancelled", { turn_id: "t1", reason }));
    expect(await returnedTexts(session)).toEqual(["Wait"]);
  });

  test.each([
    ["and the Stop names it", { ok: true }, 2],
    ["and the Stop fails", { ok: false, error: "claude ended" }, 1],
  ])("where its receipt comes first, %s", async (_what, result, stopped) => {
    const { harness, session, steer } = await busy();
    const { bridge } = harness;
    const { message_id } = steer;
    await harness.say(...started(message_id));
    bridge.answers.set("interrupt", (draft) => ({ ...draft, ...result, cancelled: [message_id] }));
    const [{ queued }] = await Promise.all([
      session.interrupt(STOP),
      harness.say(status(message_id, "cancelled", { turn_id: "t1", reason: "interrupted" })),
    ]);
    expect(queued).toHaveLength(stopped);
    expect((await returnedTexts(session)).toSorted()).toEqual(["Steer", "Wait"]);
    expect((await session.takeReturned(message_id)).attachments).toEqual(ATTACHMENTS);
  });

  test.each(["cancelled", "rejected"])("where it is %s without a Stop", async (word) => {
    const { harness, session, steer } = await busy();
    await harness.say(...started(steer.message_id));
    await harness.say(status(steer.message_id, word, { turn_id: "t1" }));
    expect(await returnedTexts(session)).toEqual(["Steer"]);
    expect((await session.takeReturned(steer.message_id)).attachments).toEqual(ATTACHMENTS);
  });
});

test("a taken message takes no room in the journal any more", async () => {
  const { harness, session } = await busy();
  const content = "x".repeat(1_000_000);
  const attachments = [{ filename: "b.txt", content, media_type: "text/plain" }];
  const { message_id } = await session.message({ message: "Long", attachments });
  await session.interrupt(STOP);
  const bytes = async () => (await harness.journal.sizes())[0]?.bytes ?? 0;
  expect(await bytes()).toBeGreaterThan(1_000_000);
  await session.takeReturned(message_id);
  expect(await bytes()).toBeLessThan(1_000_000);
});

test("a waiting message is shown as returned before the bridge has answered, and another client takes it", async () => {
  const { harness, session, wait } = await busy();
  const { bridge } = harness;
  // The bridge stands still.
  bridge.bridge.send = () => undefined;
  bridge.answers.set("interrupt", () => ({ type: "nothing" }));
  const stopped = session.interrupt(STOP);
  await settled();
  expect(await returnedTexts(session)).toEqual(["Wait"]);
  expect((await harness.sessions.get(session.id).takeReturned(wait.message_id)).message).toBe(
    "Wait",
  );
  expect(await returnedTexts(session)).toEqual([]);
  bridge.end();
  // The answer has the messages that Stop has taken out of the queue.
  expect((await stopped).queued).toEqual(["Wait"]);
  await settled();
  expect(await returnedTexts(session)).toEqual(["Steer"]);
});

test("a host that is killed after any commit of a Stop has each message once, with its attachments", async () => {
  const { journal, copies } = copiedJournal();
  const { harness, session, steer } = await busy(journal);
  const first = copies.length - 1;
  givesBack(harness, steer.message_id);
  await session.interrupt(STOP);
  await settled();
  const states = copies.slice(first);
  expect(states.length).toBeGreaterThan(2);
  for (const copy of states) {
    const restarted = await SessionHarness.open(openJournal(copy));
    const { attachments = new Map() } = (await restarted.journal.load(session.id)) ?? {};
    expect([...attachments.values()]).toEqual([ATTACHMENTS, ATTACHMENTS]);
    const loaded = restarted.sessions.get(session.id);
    const queued = (await loaded.queue()).map(({ message }) => message);
    expect([...(await returnedTexts(loaded)), ...queued].toSorted()).toEqual(["Steer", "Wait"]);
    expect((await loaded.snapshot()).state.isQueueHeld).toBe(queued.length > 0);
  }
});

test("a commit that the disk refuses leaves a message where it was", async () => {
  const { harness, session, wait } = await busy();
  const { journal } = harness;
  const commit = journal.commit.bind(journal);
  const refuse = () => {
    journal.commit = async () => {
      throw new Error("full");
    };
  };
  refuse();
  const refused = { message: "full" };
  expect(await failureOf(session.interrupt(STOP))).toMatchObject(refused);
  journal.commit = commit;
  expect(await session.queue()).toHaveLength(1);
  expect(await session.returned()).toEqual([]);
  await session.interrupt(STOP);
  refuse();
  expect(await failureOf(session.takeReturned(wait.message_id))).toMatchObject(refused);
  journal.commit = commit;
  expect((await session.takeReturned(wait.message_id)).message).toBe("Wait");
});

describe("a message that the bridge has is returned, with its attachments,", () => {
  for (const word of ["rejected", "cancelled", "failed"])
    test(`where it is ${word} before Claude has read it`, async () => {
      const { harness, session, steer } = await busy();
      await harness.say(status(steer.message_id, word));
      expect(await returnedTexts(session)).toEqual(["Steer"]);
      expect((await session.takeReturned(steer.message_id)).attachments).toEqual(ATTACHMENTS);
    });

  test("where its bridge ends without a word, and the waiting messages go on", async () => {
    const { harness, session } = await busy();
    await harness.endBridge();
    expect(await returnedTexts(session)).toEqual(["Steer"]);
    expect(harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Wait"]);
  });
});

test("a message that Claude has read is not returned, whatever becomes of its turn", async () => {
  const { harness, session, steer } = await busy();
  const read = [status(steer.message_id, "started"), status(steer.message_id, "failed")];
  await harness.say(...read, processExit(false));
  expect(await returnedTexts(session)).toEqual([]);
  const kept = (await harness.journal.load(session.id))?.attachments.size;
  expect(kept).toBe(1);
  expect((await session.queue()).map(({ message }) => message)).toEqual(["Wait"]);
});

describe("the same client_msg_id again gets the fate of its message:", () => {
  const again = (session: HostSession) =>
    session.message({ message: "Wait", attachments: ATTACHMENTS, clientMessageId: "c1" });

  test("it waits, it is returned, it was taken, also after a restart", async () => {
    const { harness, session, wait } = await busy();
    expect(await again(session)).toEqual(wait);
    await session.interrupt(STOP);
    const { message_id } = wait;
    expect(await again(session)).toEqual({ status: "returned", message_id });
    await session.takeReturned(message_id);
    await harness.restart();
    expect(await again(harness.sessions.get(session.id))).toEqual({ status: "taken", message_id });
  });

  test("it was deleted", async () => {
    const { session, wait } = await busy();
    await session.deleteQueued(wait.message_id);
    expect(await again(session)).toMatchObject({ status: "deleted" });
  });

  test("it was replaced", async () => {
    const { session } = await busy();
    const draft = { message: "Draft", delivery: "replace", clientMessageId: "c2" } as const;
    await session.message(draft);
    await session.message({ message: "Other draft", delivery: "replace" });
    expect(await session.message(draft)).toMatchObject({ status: "replaced" });
  });
});

test("returned messages count as waiting ones, so that nothing grows without a limit", async () => {
  const { session, wait } = await busy();
  for (let count = 1; count < 100; count += 1) await session.message({ message: `${count}` });
  await session.interrupt(STOP);
  const refused = { status: 429, code: "queue_full" };
  for (const delivery of ["queue", "steer"] as const)
    expect(await failureOf(session.message({ message: "More", delivery }))).toMatchObject(refused);
  await session.takeReturned(wait.message_id);
  expect(await session.message({ message: "More" })).toMatchObject({ status: "queued" });
});

test("an event of the queue has the change, and not all waiting messages", async () => {
  const { harness, session, wait } = await busy();
  const long = "x".repeat(10_000);
  for (let count = 0; count < 20; count += 1) await session.message({ message: long });
  const { seq } = (await session.range()).end;
  const other = (await session.queue())[5]?.message_id ?? "";
  await session.editQueued(wait.message_id, "Edited");
  await session.message({ message: "Draft", delivery: "replace" });
  await session.message({ message: "Other", delivery: "replace" });
  await session.sendQueued(other, "queue");
  await session.deleteQueued(other);
  await session.sendQueued(wait.message_id, "steer");
  await session.end();
  const written = (await entriesOf(session)).filter((entry) => entry.seq > seq);
  expect(written.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["queue_changed", "message_queued", "message_sent"]),
  );
  expect(written.filter(({ data }) => data.length > 500)).toEqual([]);
  expect((await reducedOf(session)).queue).toEqual((await session.snapshot()).state.queue);
  expect((await session.snapshot()).state.queue.map(({ messageId }) => messageId)).toEqual(
    (await session.queue()).map(({ message_id }) => message_id),
  );
  await harness.restart();
  expect((await harness.sessions.get(session.id).snapshot()).state.isQueueHeld).toBe(true);
});

test("a journal of an older host loads: its snapshot has nothing returned, its events all that waits", async () => {
  const journal = openJournal(":memory:");
  const { returned: _none, ...snapshot } = initialSession;
  const queue = [{ message_id: "m1", message: "Wait", queued_at: 1 }];
  const data = JSON.stringify({ queue, held: true });
  const row = {
    id: "s1",
    place: "local",
    dir: "/work",
    title: "",
    createdAt: 1,
    updatedAt: 1,
    summary: { state: "exited", pending: 0, queued: 1, costUsd: 0 },
  } as const;
  await journal.create(row);
  // The snapshot of an older host, without the part that it did not have.
  await journal.commit("s1", { snapshot: snapshot as typeof initialSession });
  await journal.commit("s1", { entries: [{ type: "queue_changed", data }] });
  const session = (await SessionHarness.open(journal)).sessions.get("s1");
  const { state } = await session.snapshot();
  expect(state).toMatchObject({ returned: [], queue: [{ text: "Wait" }] });
  const taken = { t: "snapshot", d: { cursor: (await session.range()).end, state: snapshot } };
  expect(reduceSession(initialSession, taken).returned).toEqual([]);
});
