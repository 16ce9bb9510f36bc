/** The user messages that have not started. */
import type { Fields } from "../claude-value.ts";
import type { QueuedMessage, ReducedSession } from "../reduced-session.ts";
import { handler } from "./handler.ts";
import { kept, replaced } from "./lists.ts";
import { flag, number, objects, optional, present, text, textIn } from "./message-fields.ts";
import { indexOfKey } from "./transcript.ts";

/** Adds a message to the queue, or what is newly known of one in it. */
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
  attachments: optional(objects),
};

function queuedMessage(item: {
  readonly message_id: string;
  readonly message?: string | undefined;
  readonly queued_at?: number | undefined;
  readonly attachments?: readonly Fields[] | undefined;
}): QueuedMessage {
  const { message_id: messageId, message, queued_at: queuedAt } = item;
  const files = item.attachments?.map((attachment) => textIn(attachment, "filename") ?? "");
  return { messageId, ...present({ text: message, queuedAt, files }) };
}

const messageQueued = handler("message-queued", QUEUED, (state, message) =>
  withQueued(state, queuedMessage(message)),
);

/** It stays in the queue until the bridge says that it has started, which may be known before. */
const messageSent = handler(
  "message-sent",
  { message_id: text, message: optional(text), sent_at: optional(number) },
  (state, message) =>
    hasStarted(state, message.message_id)
      ? state
      : withQueued(state, {
          ...queuedMessage(message),
          ...present({ sentAt: message.sent_at }),
          isSent: true,
        }),
);

function hasStarted({ openEntries }: ReducedSession, messageId: string): boolean {
  return openEntries.some(
    (entry) =>
      (entry.kind === "turn" && entry.messageIds.includes(messageId)) ||
      indexOfKey(entry.items, messageId) !== -1,
  );
}

/** What was sent is not in the host's queue, and has not started yet. */
const queueChanged = handler(
  "queue-changed",
  { queue: objects, held: optional(flag) },
  (state, { queue, held }) => ({
    ...state,
    queue: [
      ...state.queue.filter(({ isSent }) => isSent),
      ...queue.filter(isQueued).map(queuedMessage),
    ],
    isQueueHeld: held === true,
  }),
);

function isQueued(item: object): boolean {
  const fields = new Map<string, unknown>(Object.entries(item));
  return Object.entries(QUEUED).every(([name, check]) => check(fields.get(name)));
}

export const QUEUE_HANDLERS = [messageQueued, messageSent, queueChanged] as const;
