/** The user messages that have not started, and the messages that never will. */
import { type Fields, present, textOf } from "../claude-value.ts";
import type { QueueChange, QueuedMessageInfo } from "../host-api.ts";
import type { QueuedMessage, ReducedSession } from "../reduced-session.ts";
import { handler } from "./handler.ts";
import { kept, replaced } from "./lists.ts";
import {
  flag,
  listOf,
  number,
  objects,
  objectWith,
  optional,
  text,
  texts,
} from "./message-fields.ts";
import { indexOfKey } from "./transcript.ts";

/** Adds a message to the queue, or new fields to a message that is in it. */
export function withQueued(state: ReducedSession, message: QueuedMessage): ReducedSession {
  const index = state.queue.findIndex(({ messageId }) => messageId === message.messageId);
  const known = state.queue[index];
  if (known === undefined) return { ...state, queue: [...state.queue, message] };
  return { ...state, queue: replaced(state.queue, index, { ...known, ...message }) };
}

export function withoutQueued(state: ReducedSession, messageId: string): ReducedSession {
  const queue = kept(state.queue, (item) => item.messageId !== messageId);
  return queue === state.queue ? state : { ...state, queue };
}

const QUEUED = {
  message_id: text,
  message: optional(text),
  queued_at: optional(number),
  delivery: optional(text),
  attachments: optional(objects),
};

function queuedMessage(item: {
  readonly message_id: string;
  readonly message?: string | undefined;
  readonly queued_at?: number | undefined;
  readonly delivery?: "replace" | undefined;
  readonly attachments?: readonly Fields[] | undefined;
}): QueuedMessage {
  const { message_id: messageId, message, queued_at: queuedAt, delivery } = item;
  const files = item.attachments?.map((attachment) => textOf(attachment["filename"]) ?? "");
  return { messageId, ...present({ text: message, queuedAt, delivery, files }) };
}

const messageQueued = handler("message_queued", QUEUED, (state, message) =>
  withQueued(state, queuedMessage(message)),
);

/** A sent message stays, before all that wait, until the bridge reports its start, which may come earlier. */
const messageSent = handler(
  "message_sent",
  {
    message_id: text,
    message: optional(text),
    sent_at: optional(number),
    after_limit: optional(objectWith({ again: optional(text) })),
  },
  (state, message) =>
    hasStarted(state, message.message_id)
      ? state
      : withSent(state, {
          ...queuedMessage(message),
          ...present({
            sentAt: message.sent_at,
            afterLimit: message.after_limit && present({ again: message.after_limit.again }),
          }),
          isSent: true,
        }),
);

function withSent(before: ReducedSession, message: QueuedMessage): ReducedSession {
  const state = withQueued(before, message);
  const waiting = state.queue.find(
    ({ isSent, messageId }) => !isSent && messageId !== message.messageId,
  );
  return { ...state, queue: movedTo(state.queue, message.messageId, waiting?.messageId) };
}

function hasStarted({ openEntries }: ReducedSession, messageId: string): boolean {
  return openEntries.some(
    (entry) =>
      (entry.kind === "turn" && entry.messageIds.includes(messageId)) ||
      indexOfKey(entry.items, messageId) !== -1,
  );
}

const CHANGES = {
  added: optional(listOf(objectWith({ ...QUEUED, before: optional(text) }))),
  removed: optional(texts),
  edited: optional(listOf(objectWith({ message_id: text, message: text }))),
  moved: optional(listOf(objectWith({ message_id: text, before: optional(text) }))),
  held: optional(flag),
  queue: optional(listOf(objectWith(QUEUED))),
};

const queueChanged = handler("queue_changed", CHANGES, (state, { queue, ...change }) =>
  queue === undefined ? changed(state, change) : replacedQueue(state, queue, change.held),
);

type Checked = { readonly [Key in keyof QueueChange]: QueueChange[Key] | undefined };

function changed(
  state: ReducedSession,
  { added = [], removed = [], edited = [], moved = [], held = state.isQueueHeld }: Checked,
): ReducedSession {
  const grown = added.reduce(
    (list, item) => inserted(list, queuedMessage(item), item.before),
    state.queue,
  );
  const edits = new Map(edited.map(({ message_id, message }) => [message_id, message]));
  const queue = grown
    .filter(({ messageId }) => !removed.includes(messageId))
    .map((item) => withEdit(item, edits.get(item.messageId)));
  return {
    ...state,
    queue: moved.reduce<Queue>(
      (list, { message_id, before }) => movedTo(list, message_id, before),
      queue,
    ),
    isQueueHeld: held,
  };
}

function withEdit(item: QueuedMessage, edit: string | undefined): QueuedMessage {
  return edit === undefined ? item : { ...item, text: edit };
}

type Queue = ReducedSession["queue"];

function movedTo(queue: Queue, messageId: string, before: string | undefined): Queue {
  const item = queue.find((other) => other.messageId === messageId);
  return item === undefined ? queue : inserted(queue, item, before);
}

/** One message before another; at the end where that is not known. */
function inserted(queue: Queue, item: QueuedMessage, before: string | undefined): Queue {
  const others = queue.filter(({ messageId }) => messageId !== item.messageId);
  const at = others.findIndex(({ messageId }) => messageId === before);
  return others.toSpliced(at === -1 ? others.length : at, 0, item);
}

/** A message that was sent is not in the host's queue, and has not started yet. */
function replacedQueue(
  state: ReducedSession,
  queue: readonly QueuedMessageInfo[],
  held = false,
): ReducedSession {
  const sent = state.queue.filter(({ isSent }) => isSent);
  return { ...state, queue: [...sent, ...queue.map(queuedMessage)], isQueueHeld: held };
}

const messageReturned = handler("message_returned", QUEUED, (state, message) => {
  const item = queuedMessage(message);
  const returned = kept(state.returned, ({ messageId }) => messageId !== item.messageId);
  return { ...withoutQueued(state, item.messageId), returned: [...returned, item] };
});

const messageTaken = handler("message_taken", { message_id: text }, (state, { message_id }) => ({
  ...state,
  returned: kept(state.returned, ({ messageId }) => messageId !== message_id),
}));

export const QUEUE_HANDLERS = [
  messageQueued,
  messageSent,
  queueChanged,
  messageReturned,
  messageTaken,
] as const;
