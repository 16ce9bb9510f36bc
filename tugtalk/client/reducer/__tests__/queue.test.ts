/** The messages that have not started, and the messages that came back. Made up. */
import { expect, test } from "bun:test";
import type { OtherMessage } from "../../session-input.ts";
import { itemsOf, reduced } from "./reduced.ts";

const TURN = { type: "turn_started", turn_id: "t", message_ids: ["x"], trigger: "user" };

function status(message_id: string, state: string, fields = {}): OtherMessage {
  return { type: "message_status", message_id, status: state, ...fields };
}

const queued = { type: "message_queued", message_id: "x", message: "Later." };

test("a message is in the queue from its receipt or the host's event until it starts", () => {
  const state = reduced([queued, status("x", "queued"), status("y", "queued")]);
  expect(state.queue).toEqual([{ messageId: "x", text: "Later." }, { messageId: "y" }]);
  expect(reduced([status("x", "started")], state).queue).toEqual([{ messageId: "y" }]);
  expect(reduced([status("y", "cancelled")], state).queue).toHaveLength(1);
});

test("a message that the bridge has started is not queued when the host says that it was sent", () => {
  const started = [TURN, status("x", "started", { turn_id: "t" })];
  const sent = { type: "message_sent", message_id: "x", message: "Hi" };
  expect(reduced([...started, sent]).queue).toEqual([]);
  expect(reduced([sent]).queue).toEqual([{ messageId: "x", text: "Hi", isSent: true }]);
});

test("a turn has the time at which its message was sent", () => {
  const sent = { type: "message_sent", message_id: "x", message: "Hi", sent_at: 1_700 };
  const state = reduced([sent, { ...TURN, message_ids: ["x"] }]);
  expect(state.openEntries[0]).toMatchObject({ kind: "turn", sentAt: 1_700 });
});

const inQueue = (...changes: readonly object[]) => {
  const all = ["a", "b", "c"].map((id) => ({ ...queued, message_id: id, message: id }));
  const told = changes.map((change) => ({ type: "queue_changed", ...change }));
  const sent = { type: "message_sent", message_id: "s", message: "s" };
  return reduced([sent, ...all, ...told]).queue.map(({ text }) => text);
};

test("a change of a host's queue changes the messages that it names, and leaves the rest", () => {
  const added = { message_id: "n", message: "n", queued_at: 1 };
  expect(inQueue({})).toEqual(["s", "a", "b", "c"]);
  expect(inQueue({ added: [added] })).toEqual(["s", "a", "b", "c", "n"]);
  expect(inQueue({ added: [{ ...added, before: "b" }], removed: ["b"] })).toEqual([
    "s",
    "a",
    "n",
    "c",
  ]);
  expect(inQueue({ removed: ["a", "x"] })).toEqual(["s", "b", "c"]);
  expect(inQueue({ edited: [{ message_id: "b", message: "B" }] })).toEqual(["s", "a", "B", "c"]);
  const moved = [
    { message_id: "c", before: "a" },
    { message_id: "x", before: "a" },
  ];
  expect(inQueue({ moved })).toEqual(["s", "c", "a", "b"]);
});

test("sent messages are before all messages that wait", () => {
  expect(inQueue()).toEqual(["s", "a", "b", "c"]);
  const state = reduced([queued, { type: "message_sent", message_id: "n", message: "n" }]);
  expect(state.queue.map(({ text }) => text)).toEqual(["n", "Later."]);
});

test("a message that comes back is kept until somebody takes it", () => {
  const attachments = [{ filename: "a.png", media_type: "image/png" }];
  const back = { ...queued, type: "message_returned", queued_at: 1, attachments };
  const state = reduced([queued, back]);
  const kept = { messageId: "x", text: "Later.", queuedAt: 1, files: ["a.png"] };
  expect(state).toMatchObject({ queue: [], returned: [kept] });
  expect(reduced([{ type: "message_taken", message_id: "y" }], state).returned).toEqual([kept]);
  expect(reduced([{ type: "message_taken", message_id: "x" }], state).returned).toEqual([]);
});

test("the whole queue, as older hosts send it, replaces the known one", () => {
  const event = { type: "queue_changed", queue: [{ message_id: "z", message: "Z" }] };
  expect(reduced([queued, event]).queue).toEqual([{ messageId: "z", text: "Z" }]);
});

test("a message that waits with attachments has their names", () => {
  const attachments = [{ filename: "a.png", media_type: "image/png" }];
  const state = reduced([{ ...queued, attachments }]);
  expect(state.queue).toEqual([{ messageId: "x", text: "Later.", files: ["a.png"] }]);
  const changed = {
    type: "queue_changed",
    queue: [{ message_id: "x", message: "", attachments }],
  };
  expect(reduced([changed], state).queue).toEqual([{ messageId: "x", text: "", files: ["a.png"] }]);
});

test("a message that was sent stays until it starts, whatever waits in the host's queue", () => {
  const sent = { type: "message_sent", message_id: "x" };
  const event = { type: "queue_changed", queue: [{ message_id: "z", message: "Z" }] };
  const state = reduced([queued, sent, event]);
  expect(state.queue).toEqual([
    { messageId: "x", text: "Later.", isSent: true },
    { messageId: "z", text: "Z" },
  ]);
  expect(reduced([status("x", "started")], state).queue).toEqual([{ messageId: "z", text: "Z" }]);
});

test("a host's queue is held from the event that says so until the next one that does not", () => {
  const event = { type: "queue_changed", queue: [{ message_id: "x", message: "Later." }] };
  const held = reduced([queued, { ...event, held: true }]);
  expect(held.isQueueHeld).toBe(true);
  expect(held.queue).toHaveLength(1);
  expect(reduced([event], held).isQueueHeld).toBe(false);
});

test("the item of a message has its receipt", () => {
  const said = { type: "user_text", turn_id: "t", message_id: "x", text: "Hi", kind: "host" };
  const state = reduced([TURN, status("x", "started", { turn_id: "t" }), said]);
  expect(itemsOf(state)).toMatchObject([{ key: "x", status: "started" }]);
  const ended = reduced([status("x", "completed", { turn_id: "t" })], state);
  expect(itemsOf(ended)).toMatchObject([{ key: "x", status: "completed" }]);
});

test("a message that failed before it started is a notice with its text", () => {
  expect(itemsOf(reduced([queued, status("x", "failed")]))).toMatchObject([
    { notice: { kind: "message", messageId: "x", status: "failed", text: "Later." } },
  ]);
});
