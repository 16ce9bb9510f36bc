/** The queue of a session, step by step. */
import { expect, test } from "bun:test";
import {
  type MessageQueue,
  placeIn,
  type QueueStep,
  withFirst,
  withMessage,
  withoutMessage,
  withText,
} from "../message-queue.ts";

type Step = (queue: MessageQueue) => QueueStep | undefined;

const add =
  (messageId: string, delivery: "queue" | "replace" = "queue"): Step =>
  (queue) =>
    withMessage(queue, { messageId, message: messageId, attachments: [], delivery, queuedAt: 0 });
const first =
  (messageId: string): Step =>
  (queue) =>
    withFirst(queue, messageId);
const remove =
  (messageId: string): Step =>
  (queue) =>
    withoutMessage(queue, messageId);

const ROWS: readonly { name: string; steps: readonly Step[]; ids: string; unqueued?: string }[] = [
  { name: "messages keep the order in which they came", steps: [add("a"), add("b")], ids: "a b" },
  {
    name: "a replace message takes the place of the one that waits",
    steps: [add("a"), add("r", "replace"), add("b"), add("s", "replace")],
    ids: "a s b",
    unqueued: "r",
  },
  {
    name: "a replace message replaces no message of another kind",
    steps: [add("a"), add("r", "replace")],
    ids: "a r",
  },
  {
    name: "a message that is to be sent at once goes before all others",
    steps: [add("a"), add("b"), add("c"), first("c")],
    ids: "c a b",
  },
  {
    name: "the latest of two messages that are to be sent at once is the first",
    steps: [add("a"), add("b"), add("c"), first("c"), first("b")],
    ids: "b c a",
  },
  {
    name: "a message that is deleted leaves the order of the others",
    steps: [add("a"), add("b"), add("c"), remove("b")],
    ids: "a c",
    unqueued: "b",
  },
];

test.each(ROWS)("$name, in memory as in the journal", ({ steps, ids, unqueued = "" }) => {
  let queue: MessageQueue = [];
  let last: QueueStep | undefined;
  const rows = new Map<string, MessageQueue[number]>();
  for (const step of steps) {
    last = step(queue);
    queue = last?.queue ?? [];
    for (const id of last?.unqueued ?? []) rows.delete(id);
    for (const row of last?.queued ?? []) rows.set(row.messageId, row);
  }
  expect(queue.map(({ messageId }) => messageId).join(" ")).toBe(ids);
  expect(last?.unqueued.join(" ")).toBe(unqueued);
  const kept = [...rows.values()].sort((one, other) => one.position - other.position);
  expect(kept).toEqual([...queue]);
});

test("a message that has left can be neither edited, deleted nor sent", () => {
  const { queue } = withMessage([], {
    messageId: "a",
    message: "a",
    attachments: [],
    delivery: "queue",
    queuedAt: 0,
  });
  const left = withoutMessage(queue, "a")?.queue ?? queue;
  const steps = [withText(left, "a", "b"), withoutMessage(left, "a"), withFirst(left, "a")];
  expect(steps).toEqual([undefined, undefined, undefined]);
  expect(placeIn(left, "a")).toBe(0);
});

test("a message that is edited keeps its place and its attachments", () => {
  const attachments = [{ filename: "a.txt", content: "x", media_type: "text/plain" }];
  const row = {
    messageId: "a",
    message: "a",
    attachments,
    delivery: "queue",
    queuedAt: 3,
  } as const;
  const { queue } = withMessage([], row);
  expect(withText(queue, "a", "b")?.queued).toEqual([{ ...row, position: 1, message: "b" }]);
});
