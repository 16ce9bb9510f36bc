/** The limit and the order of the message queue. The tests of sessions show the messages that Claude gets. */
import { expect, test } from "bun:test";
import type { OutboundDraft } from "../../types.ts";
import { MAX_QUEUED_CHARACTERS, MessageQueue } from "../message-queue.ts";

/** Two of these exceed the limit. */
const LARGE = "x".repeat(MAX_QUEUED_CHARACTERS / 2 + 1);

const enqueue = (queue: MessageQueue, messageId: string) =>
  queue.accept({ type: "user_message", text: LARGE }, messageId, 10);

test("a message that makes the queue too large is rejected, and the queue stays as it was", () => {
  const queue = new MessageQueue(() => {});
  expect(enqueue(queue, "first")).toBeUndefined();
  expect(enqueue(queue, "second")).toMatchObject({ code: "queue_full" });
  expect(queue.ids).toEqual(["first"]);
  expect(queue.knows("second")).toBe(false);
});

const REMOVALS: readonly (readonly [name: string, remove: (queue: MessageQueue) => unknown])[] = [
  ["delivered as the first", (queue) => queue.shift()],
  ["steered", (queue) => queue.pop()],
  ["cancelled", (queue) => queue.cancel("first", "withdrawn")],
  ["cancelled with all others", (queue) => queue.cancelAll("interrupted")],
];

test.each(REMOVALS)("a message that is %s frees its space for the next one", (_name, remove) => {
  const queue = new MessageQueue(() => {});
  expect(enqueue(queue, "first")).toBeUndefined();
  remove(queue);
  expect(queue.length).toBe(0);
  expect(enqueue(queue, "second")).toBeUndefined();
});

test("a replacing message needs no room beside the message that it replaces", () => {
  const emitted: OutboundDraft[] = [];
  const queue = new MessageQueue((message) => emitted.push(message));
  const replace = { type: "user_message", text: LARGE, delivery: "replace" } as const;
  expect(queue.accept(replace, "first", 1)).toBeUndefined();
  expect(queue.accept(replace, "second", 1)).toBeUndefined();
  expect(queue.ids).toEqual(["second"]);
  expect(emitted).toEqual([
    { type: "message_status", message_id: "first", status: "queued" },
    { type: "message_status", message_id: "second", status: "queued" },
    { type: "message_status", message_id: "first", status: "cancelled", reason: "replaced" },
  ]);
});

test("a message that is rejected replaces nothing", () => {
  const queue = new MessageQueue(() => {});
  const replace = { type: "user_message", delivery: "replace" } as const;
  expect(queue.accept({ ...replace, text: "one" }, "first", 1)).toBeUndefined();
  expect(queue.accept({ ...replace, text: "" }, "second", 1)).toBeDefined();
  expect(queue.ids).toEqual(["first"]);
});

test("a message that is to be delivered now is the first, and urgent until it is removed", () => {
  const queue = new MessageQueue(() => {});
  const add = (id: string, delivery?: "now") =>
    queue.accept({ type: "user_message", text: id, delivery }, id, 10);
  add("first");
  expect(queue.isUrgent).toBe(false);
  add("second", "now");
  add("third", "now");
  add("fourth");
  expect(queue.ids).toEqual(["third", "second", "first", "fourth"]);
  expect(queue.isUrgent).toBe(true);
  expect(queue.shift()?.messageId).toBe("third");
  expect(queue.isUrgent).toBe(false);
});
