/** The messages that wait: how much of them is taken. Their order is tested with sessions. */
import { expect, test } from "bun:test";
import { MAX_QUEUED_CHARACTERS, MessageQueue } from "../message-queue.ts";

/** Two of these are too many. */
const LARGE = "x".repeat(MAX_QUEUED_CHARACTERS / 2 + 1);

const enqueue = (queue: MessageQueue, messageId: string) =>
  queue.accept({ type: "user_message", text: LARGE }, messageId, 10);

test("messages that are too large together are refused, and refusing one changes nothing", () => {
  const queue = new MessageQueue(() => {});
  expect(enqueue(queue, "first")).toBeUndefined();
  expect(enqueue(queue, "second")).toMatchObject({ code: "queue_full" });
  expect(queue.ids).toEqual(["first"]);
  expect(queue.knows("second")).toBe(false);
});

const REMOVALS: readonly (readonly [name: string, remove: (queue: MessageQueue) => unknown])[] = [
  ["delivered as the oldest", (queue) => queue.shift()],
  ["steered", (queue) => queue.pop()],
  ["cancelled", (queue) => queue.cancel("first", "withdrawn")],
  ["cancelled with all others", (queue) => queue.cancelAll("interrupted")],
];

test.each(REMOVALS)("a message that is %s leaves its room to the next one", (_name, remove) => {
  const queue = new MessageQueue(() => {});
  expect(enqueue(queue, "first")).toBeUndefined();
  remove(queue);
  expect(queue.length).toBe(0);
  expect(enqueue(queue, "second")).toBeUndefined();
});
