/**
 * A session that the usage limit has refused: whether, when and how often it continues by itself, and with
 * which message.
 */
import { describe, expect, test } from "bun:test";
import { ApiError } from "../../api/api-error.ts";
import type { HostSession } from "../../api/host-session.ts";
import { UnreachableJournalError } from "../../journal/journal-error.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { Sessions } from "../sessions.ts";
import {
  limitReached,
  processExit,
  refusedTurn,
  said,
  status,
  turnComplete,
  turnStarted,
  wholeTurn,
} from "./support/bridge-words.ts";
import { copiedJournal } from "./support/copied-journal.ts";
import type { Draft } from "./support/fake-bridge.ts";
import {
  entriesOf,
  openSession,
  reducedOf,
  SessionHarness,
  settled,
} from "./support/session-harness.ts";

const NOW = 1_000_000_000_000;
const RESET = NOW + 3_600_000;
/** By this time every session has continued. */
const AFTER = RESET + 5_000;
const DAY_MS = 86_400_000;
const ATTACHMENTS = [{ filename: "a.txt", content: "an attachment", media_type: "text/plain" }];

type Refused = {
  readonly isOn?: boolean;
  readonly resetsAt?: number;
  readonly attachments?: typeof ATTACHMENTS;
  /** The messages of the turn before it was refused. */
  readonly before?: readonly Draft[];
};

/** A session whose first turn was refused. */
async function refused(
  { isOn = true, resetsAt = RESET, attachments = [], before = [] }: Refused = {},
  journal = openJournal(":memory:"),
) {
  const { harness, session } = await openSession(journal);
  await harness.at(NOW);
  if (isOn) await session.setGoesOn(true);
  const { message_id } = await session.message({ message: "One", attachments });
  await harness.say(limitReached(resetsAt), ...refusedTurn("t1", [message_id], ...before));
  return { harness, session, message_id };
}

/** The messages to all bridges but the first. */
function sentAfter({ bridges }: SessionHarness) {
  return bridges.flatMap((bridge) => bridge.sentOf("user_message")).slice(1);
}

async function errorsOf(session: HostSession): Promise<readonly string[]> {
  const entries = await entriesOf(session);
  return entries
    .filter(({ type }) => type === "host_error")
    .map(({ data }) => String(JSON.parse(data).error));
}

test("a message that was refused is sent once more after the reset, under a new id, and not before", async () => {
  const { harness, session, message_id } = await refused({ attachments: ATTACHMENTS });
  const { goes_on_at = 0, limit_resets_at } = session.info();
  expect(limit_resets_at).toBe(RESET);
  expect(goes_on_at).toBeWithin(RESET, RESET + 3_000);
  await harness.at(goes_on_at - 1);
  expect(sentAfter(harness)).toEqual([]);
  await harness.at(goes_on_at);
  await harness.at(AFTER);
  const [again, ...others] = sentAfter(harness);
  expect(again).toMatchObject({ text: "Text of t1", attachments: ATTACHMENTS });
  expect(again?.message_id).not.toBe(message_id);
  expect(others).toEqual([]);
  await harness.say(...wholeTurn("t2", again?.message_id ?? "", "Text of t1"));
  expect(session.info()).toMatchObject({ goes_on: true });
  expect(session.info()).not.toHaveProperty("goes_on_at");
  expect(session.info()).not.toHaveProperty("limit_resets_at");
});

test("a reset within a millisecond is a whole time, and no earlier", async () => {
  const { session } = await refused({ resetsAt: RESET + 0.25 });
  expect(session.info().limit_resets_at).toBe(RESET + 1);
});

test("a session that cannot be read when its time comes goes on once it can", async () => {
  const { harness } = await refused();
  await harness.endBridge();
  const { journal } = harness;
  const load = journal.load.bind(journal);
  journal.load = () => Promise.reject(new UnreachableJournalError("the database is away"));
  await harness.at(AFTER);
  expect(sentAfter(harness)).toEqual([]);
  journal.load = load;
  await harness.at(AFTER + 500);
  await settled();
  expect(sentAfter(harness)).toMatchObject([{ text: "Text of t1" }]);
});

test("a session that is lost in the moment in which it goes on leaves the host as it is", async () => {
  const { harness, session } = await refused();
  const { sessions } = harness;
  if (!(sessions instanceof Sessions)) throw new Error("they are those of one host");
  const later = harness.at(AFTER);
  sessions.lose(session.id, new ApiError(503, "host_changed", "another host has it"));
  await later;
  expect(sentAfter(harness)).toEqual([]);
});

test("the turn in which it goes on says whose message it is once more", async () => {
  const { harness, session, message_id } = await refused();
  await harness.at(AFTER);
  const id = sentAfter(harness)[0]?.message_id ?? "";
  await harness.say(...wholeTurn("t2", id, "Text of t1"));
  const turn = (await reducedOf(session)).openEntries.at(-1);
  expect(turn).toMatchObject({ afterLimit: { messageId: id, again: message_id } });
});

test.each<[string, readonly Draft[]]>([
  ["has said something", [said("t1", "I begin")]],
  [
    "has used a tool",
    [
      {
        type: "tool_use",
        turn_id: "t1",
        msg_id: "m",
        block_index: 0,
        tool_use_id: "u",
        tool_name: "Bash",
        input: {},
        status: "complete",
      },
    ],
  ],
])(
  "a turn that was refused after Claude %s gets the message to continue, from the host",
  async (_, before) => {
    const { harness, session } = await refused({ before, attachments: ATTACHMENTS });
    await harness.at(AFTER);
    const [sent] = sentAfter(harness);
    expect(sent).toMatchObject({ text: "continue" });
    expect(sent).not.toHaveProperty("attachments");
    const id = sent?.message_id ?? "";
    await harness.say(...wholeTurn("t2", id, "continue"));
    const turn = (await reducedOf(session)).openEntries.at(-1);
    expect(turn).toMatchObject({ afterLimit: { messageId: id } });
  },
);

test("a turn of Claude's own that was refused gets the message to continue", async () => {
  const { harness, session } = await openSession();
  await harness.at(NOW);
  await session.setGoesOn(true);
  await harness.say(limitReached(RESET), ...refusedTurn("t1", []));
  await harness.at(AFTER);
  expect(harness.bridge.sentOf("user_message")).toMatchObject([{ text: "continue" }]);
});

test("a second refusal, of which Claude tells no limit, counts with the one that is known", async () => {
  const { harness, session } = await refused({ isOn: false });
  const { message_id } = await session.message({ message: "Two" });
  await session.setGoesOn(true);
  await harness.say(...refusedTurn("t2", [message_id]));
  expect(session.info()).toMatchObject({ limit_resets_at: RESET });
});

describe("nothing goes on by itself", () => {
  test("until a person turns it on, which is offered and can be done until the reset and after it", async () => {
    const { harness, session } = await refused({ isOn: false });
    expect(session.info()).toMatchObject({ limit_resets_at: RESET });
    expect(session.info()).not.toHaveProperty("goes_on_at");
    await harness.at(AFTER);
    expect(sentAfter(harness)).toEqual([]);
    await session.setGoesOn(true);
    await harness.at(AFTER);
    expect(sentAfter(harness)).toHaveLength(1);
  });

  test("and nothing is offered where Claude has reported no limit, or the error is another one", async () => {
    const { harness, session } = await openSession();
    await session.setGoesOn(true);
    const { message_id } = await session.message({ message: "One" });
    await harness.say(...refusedTurn("t1", [message_id]));
    expect(session.info()).not.toHaveProperty("limit_resets_at");
    const again = await session.message({ message: "Two" });
    const failed = { ...turnComplete("t2", [again.message_id]), is_error: true, result: "error" };
    const id = again.message_id;
    await harness.say(limitReached(Date.now() + 60_000), turnStarted("t2", [id]), failed);
    expect(session.info()).not.toHaveProperty("limit_resets_at");
  });

  test.each<[string, (session: HostSession) => Promise<unknown>]>([
    ["cancels it", (session) => session.cancelGoingOn()],
    ["turns it off", (session) => session.setGoesOn(false)],
    ["stops", (session) => session.interrupt({ includeBackground: false })],
    ["sends something else", (session) => session.message({ message: "Other" })],
    ["ends Claude", (session) => session.end()],
  ])("once a person %s", async (name, act) => {
    const { harness, session, message_id } = await refused({ attachments: ATTACHMENTS });
    await act(session);
    await settled();
    expect(session.info()).not.toHaveProperty("goes_on_at");
    await harness.at(AFTER);
    await harness.at(AFTER + DAY_MS);
    const texts = sentAfter(harness).map(({ text }) => text);
    expect(texts).toEqual(name === "sends something else" ? ["Other"] : []);
    const kept = (await harness.journal.load(session.id))?.attachments.has(message_id);
    expect(kept).toBe(name === "turns it off");
  });

  test("once the session is deleted", async () => {
    const { harness, session } = await refused();
    await harness.sessions.delete(session.id);
    await harness.at(AFTER);
    expect(sentAfter(harness)).toEqual([]);
  });

  test("and the rest of the queue stays where it is until then", async () => {
    const { harness, session } = await openSession();
    await harness.at(NOW);
    await session.setGoesOn(true);
    const { message_id } = await session.message({ message: "One" });
    await session.message({ message: "Two" });
    await harness.say(limitReached(RESET), ...refusedTurn("t1", [message_id]));
    expect(sentAfter(harness)).toEqual([]);
    await harness.at(AFTER);
    const [again] = sentAfter(harness);
    await harness.say(...wholeTurn("t2", again?.message_id ?? "", "Text of t1"));
    expect(sentAfter(harness).map(({ text }) => text)).toEqual(["Text of t1", "Two"]);
  });

  test("where it is off, and waiting messages are held rather than refused as well", async () => {
    const { harness, session } = await openSession();
    const { message_id } = await session.message({ message: "One" });
    await session.message({ message: "Two" });
    await harness.say(limitReached(Date.now() + 60_000), ...refusedTurn("t1", [message_id]));
    expect(sentAfter(harness)).toEqual([]);
    expect((await reducedOf(session)).isQueueHeld).toBe(true);
  });
});

test("messages that were held when a turn was refused go on behind it, once a person turns it on", async () => {
  const { harness, session } = await openSession();
  await harness.at(NOW);
  const { message_id } = await session.message({ message: "One" });
  await session.message({ message: "Two" });
  await harness.say(limitReached(RESET), ...refusedTurn("t1", [message_id]));
  await session.setGoesOn(true);
  expect((await reducedOf(session)).isQueueHeld).toBe(false);
  expect(sentAfter(harness)).toEqual([]);
  await harness.at(AFTER);
  const [again] = sentAfter(harness);
  await harness.say(...wholeTurn("t2", again?.message_id ?? "", "Text of t1"));
  expect(sentAfter(harness).map(({ text }) => text)).toEqual(["Text of t1", "Two"]);
});

/** Continues the session, which is refused again. */
async function refusedAgain(harness: SessionHarness, time: number): Promise<number> {
  const next = time + 3_600_000;
  await harness.at(time + 5_000);
  const id = sentAfter(harness).at(-1)?.message_id ?? "";
  const turn = `t${harness.bridge.sent.length + 1}`;
  await harness.say(limitReached(next), ...refusedTurn(turn, [id]));
  return next;
}

test("it goes on three times in a row, and then a person has to turn it on again", async () => {
  const { harness, session } = await refused();
  let time = RESET;
  for (let round = 0; round < 3; round += 1) time = await refusedAgain(harness, time);
  await harness.at(time + 5_000);
  expect(sentAfter(harness)).toHaveLength(3);
  expect(session.info()).toMatchObject({ goes_on: true, limit_resets_at: time });
  expect(session.info()).not.toHaveProperty("goes_on_at");
  expect(await errorsOf(session)).toEqual(["the usage limit has refused it 4 times in a row"]);
  await session.setGoesOn(true);
  await harness.at(time + 5_000);
  expect(sentAfter(harness)).toHaveLength(4);
});

test("a turn that ends well begins the row anew", async () => {
  const { harness, session } = await refused();
  let time = RESET;
  for (let round = 0; round < 2; round += 1) time = await refusedAgain(harness, time);
  await harness.at(time + 5_000);
  const id = sentAfter(harness).at(-1)?.message_id ?? "";
  await harness.say(...wholeTurn("well", id, "Text of t1"));
  const { message_id } = await session.message({ message: "Two" });
  time += 3_600_000;
  await harness.say(limitReached(time), ...refusedTurn("u1", [message_id]));
  for (let round = 0; round < 3; round += 1) time = await refusedAgain(harness, time);
  expect(await errorsOf(session)).toHaveLength(1);
});

describe("the clock", () => {
  test("that is set back makes it wait as long as the system's clock says", async () => {
    const { harness } = await refused();
    await harness.at(NOW - DAY_MS);
    expect(sentAfter(harness)).toEqual([]);
    await harness.at(AFTER);
    expect(sentAfter(harness)).toHaveLength(1);
  });

  test("that is set back by months ends the wait, and that is said", async () => {
    const { harness, session } = await refused();
    await harness.at(NOW - 100 * DAY_MS);
    expect(session.info()).not.toHaveProperty("goes_on_at");
    expect(await errorsOf(session)).toEqual([
      "the clock of this machine was set back: the usage limit is not waited for",
    ]);
  });

  test("that has jumped past the reset, as of a machine that slept, lets it go on at once", async () => {
    const { harness } = await refused();
    await harness.at(RESET + DAY_MS);
    expect(sentAfter(harness)).toHaveLength(1);
  });

  test("that is ahead of the reset makes it wait for a minute", async () => {
    const { harness, session } = await refused({ resetsAt: NOW - 1_000 });
    expect(session.info()).toMatchObject({ limit_resets_at: NOW + 60_000 });
    await harness.at(NOW + 60_000 - 1);
    expect(sentAfter(harness)).toEqual([]);
  });

  test("that is far behind the reset makes it wait for nothing, and that is said", async () => {
    const { session } = await refused({ resetsAt: NOW + 400 * DAY_MS });
    expect(session.info()).not.toHaveProperty("limit_resets_at");
    expect(await errorsOf(session)).toEqual([
      "the reset of the usage limit is not known, or too far away to wait for",
    ]);
  });
});

describe("after a kill of the host", () => {
  test("it goes on, and the rest of the queue is held", async () => {
    const { harness, session, message_id } = await refused({ attachments: ATTACHMENTS });
    await harness.restart();
    const again = harness.sessions.get(session.id);
    expect(again.info()).toMatchObject({ state: "exited", limit_resets_at: RESET });
    await harness.at(AFTER);
    const sent = harness.bridge.sentOf("user_message");
    expect(sent).toMatchObject([{ text: "Text of t1", attachments: ATTACHMENTS }]);
    expect(sent[0]?.message_id).not.toBe(message_id);
  });

  test("messages behind it wait for a person, also once it has gone on", async () => {
    const { harness, session } = await openSession();
    await harness.at(NOW);
    await session.setGoesOn(true);
    const { message_id } = await session.message({ message: "One" });
    await session.message({ message: "Two" });
    await harness.say(limitReached(RESET), ...refusedTurn("t1", [message_id]));
    await harness.restart();
    await harness.at(AFTER);
    const [again] = sentAfter(harness);
    await harness.say(...wholeTurn("t2", again?.message_id ?? "", "Text of t1"));
    expect(sentAfter(harness).map(({ text }) => text)).toEqual(["Text of t1"]);
    expect(harness.sessions.get(session.id).info()).toMatchObject({ queued: 1 });
  });

  test("a time that was over meanwhile is made up for, and the sessions are spread", async () => {
    const { harness } = await refused();
    await harness.at(AFTER - 10_000);
    harness.now = () => AFTER + DAY_MS;
    await harness.restart();
    await settled();
    expect(sentAfter(harness)).toEqual([]);
    await harness.at(AFTER + DAY_MS + 3_000);
    expect(sentAfter(harness)).toHaveLength(1);
  });

  test("it goes on under one id, whatever was the last commit before the kill, and under none once it has begun", async () => {
    const { journal, copies } = copiedJournal();
    const { harness, session } = await refused({}, journal);
    const first = copies.length;
    await harness.at(AFTER);
    const id = sentAfter(harness)[0]?.message_id ?? "";
    const unbegun = copies.length;
    await harness.say(turnStarted("t2", [id]), status(id, "started", { turn_id: "t2" }));
    expect(copies.slice(first, unbegun).length).toBeGreaterThan(0);
    for (const [index, copy] of copies.slice(first).entries()) {
      const left = await SessionHarness.open(openJournal(copy));
      await left.at(AFTER + DAY_MS);
      const sent = left.bridges.flatMap((bridge) => bridge.sentOf("user_message"));
      const isUnbegun = first + index < unbegun;
      expect(sent.map(({ message_id }) => message_id)).toEqual(isUnbegun ? [id] : []);
      const state = (await left.sessions.get(session.id).snapshot()).state;
      expect(state.returned).toEqual([]);
    }
  });

  test("a bridge that ends before it has begun is started again, and sent the same id", async () => {
    const { harness } = await refused();
    await harness.at(AFTER);
    const id = sentAfter(harness)[0]?.message_id;
    await harness.endBridge();
    await settled();
    expect(harness.bridges).toHaveLength(2);
    expect(harness.bridge.sentOf("user_message").map((one) => one.message_id)).toEqual([id]);
  });

  test("a host that ends in an orderly way before it has begun goes on when it is back", async () => {
    const { journal, copies } = copiedJournal();
    const { harness } = await refused({}, journal);
    await harness.at(AFTER);
    const id = sentAfter(harness)[0]?.message_id ?? "";
    harness.bridge.isStubborn = true;
    const closing = harness.sessions.close();
    await harness.say(status(id, "failed"), processExit(false));
    await harness.endBridge();
    await closing;
    const next = await SessionHarness.open(openJournal(copies.at(-1) ?? ""));
    await next.at(AFTER + DAY_MS);
    expect(next.bridge.sentOf("user_message").map((one) => one.message_id)).toEqual([id]);
  });
});

test("where Claude cannot be started at its time, that is said, and it is not tried again", async () => {
  const { harness, session } = await refused();
  await session.cancelGoingOn();
  const next = await session.message({ message: "Two" });
  await harness.say(...refusedTurn("t2", [next.message_id]));
  await harness.endBridge();
  harness.opened = Promise.reject(new ApiError(503, "no_bridge", "it cannot be started"));
  harness.opened.catch(() => {});
  await harness.at(AFTER);
  await settled();
  expect(session.info()).toMatchObject({ state: "failed" });
  expect(session.info()).not.toHaveProperty("goes_on_at");
});

test("a session that has cost its limit does not go on, and says so", async () => {
  const { harness, session } = await refused();
  await session.setLimit(1);
  await harness.say({ type: "cost_update", total_cost_usd: 2, turn_cost_usd: 2 });
  await harness.at(AFTER);
  expect(sentAfter(harness)).toEqual([]);
  expect(await errorsOf(session)).toEqual([
    "the session has cost its limit of $1: raise it to go on",
  ]);
});

test("sessions of one account go on at different moments within five seconds", async () => {
  const harness = await SessionHarness.open();
  await harness.at(NOW);
  const times = new Set<number | undefined>();
  for (let count = 0; count < 20; count += 1) {
    const session = await harness.create();
    await session.setGoesOn(true);
    const { message_id } = await session.message({ message: "One" });
    await harness.say(limitReached(RESET), ...refusedTurn("t1", [message_id]));
    times.add(session.info().goes_on_at);
  }
  expect(times.size).toBeGreaterThan(15);
  for (const time of times) expect(time).toBeWithin(RESET, RESET + 3_000);
});

test("a message of the host's own that Claude gives back is nobody's to take", async () => {
  const { harness, session } = await refused({ before: [said("t1", "I begin")] });
  await harness.at(AFTER);
  const id = sentAfter(harness)[0]?.message_id ?? "";
  harness.bridge.answers.set("interrupt", (draft) => {
    harness.bridge.say(status(id, "cancelled", { reason: "interrupted" }));
    return { ...draft, cancelled: [id] };
  });
  const { queued } = await session.interrupt({ includeBackground: false });
  expect(queued).toEqual([]);
  expect((await reducedOf(session)).returned).toEqual([]);
});
