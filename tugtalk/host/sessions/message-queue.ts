/** The messages of a session that wait, in order. Pure: each step gives the next queue, and what a commit has of it. */
import type { QueueChange, QueuedMessageInfo, ReturnedMessage } from "../../client/host-api.ts";
import { ApiError } from "../api/api-error.ts";
import type { Withdrawn } from "../api/host-session.ts";
import type { QueuedRow } from "../journal/journal.ts";

/** More messages than this do not wait, nor more characters. */
const MAX_QUEUED = 100;
const MAX_QUEUED_CHARS = 64 * 1024 * 1024;

export type MessageQueue = readonly QueuedRow[];

export type QueueStep = {
  readonly queue: MessageQueue;
  /** Rows that are new or changed. */
  readonly queued: readonly QueuedRow[];
  /** Ids of messages that have left. */
  readonly unqueued: readonly string[];
  readonly change: QueueChange;
};

/** At the end; a `replace` message takes the place of the `replace` message that waits. */
export function withMessage(queue: MessageQueue, message: Omit<QueuedRow, "position">): QueueStep {
  const replaced =
    message.delivery === "replace"
      ? queue.find(({ delivery }) => delivery === "replace")
      : undefined;
  const position = replaced?.position ?? (queue.at(-1)?.position ?? 0) + 1;
  const row = { ...message, position };
  const info = queuedInfo(row);
  if (replaced === undefined)
    return { queue: [...queue, row], queued: [row], unqueued: [], change: { added: [info] } };
  const { messageId: before } = replaced;
  return {
    queue: queue.map((other) => (other === replaced ? row : other)),
    queued: [row],
    unqueued: [before],
    change: { added: [{ ...info, before }], removed: [before] },
  };
}

/** With another text of one message. Undefined if it does not wait. */
export function withText(
  queue: MessageQueue,
  messageId: string,
  message: string,
): QueueStep | undefined {
  const known = rowOf(queue, messageId);
  if (known === undefined) return undefined;
  const row = { ...known, message };
  return {
    queue: queue.map((other) => (other === known ? row : other)),
    queued: [row],
    unqueued: [],
    change: { edited: [{ message_id: messageId, message }] },
  };
}

/** Undefined if it does not wait. */
export function withoutMessage(queue: MessageQueue, messageId: string): QueueStep | undefined {
  if (rowOf(queue, messageId) === undefined) return undefined;
  return {
    queue: queue.filter((row) => row.messageId !== messageId),
    queued: [],
    unqueued: [messageId],
    change: { removed: [messageId] },
  };
}

/** With one message before all others. Undefined if it does not wait. */
export function withFirst(queue: MessageQueue, messageId: string): QueueStep | undefined {
  const known = rowOf(queue, messageId);
  if (known === undefined) return undefined;
  const [first] = queue;
  if (first === undefined || known === first)
    return { queue, queued: [], unqueued: [], change: {} };
  const row = { ...known, position: first.position - 1 };
  return {
    queue: [row, ...queue.filter((other) => other !== known)],
    queued: [row],
    unqueued: [],
    change: { moved: [{ message_id: messageId, before: first.messageId }] },
  };
}

/** Throws `ApiError` 429 where the host would keep too much: in the queue, and returned. */
export function checkRoom(rows: readonly Omit<QueuedRow, "position">[]): void {
  if (rows.length > MAX_QUEUED) {
    const words = `${MAX_QUEUED} messages wait already, those to be taken back included`;
    throw new ApiError(429, "queue_full", words);
  }
  if (rows.reduce((sum, row) => sum + charsOf(row), 0) > MAX_QUEUED_CHARS) {
    const words = "the messages that wait, or wait to be taken back, are too long together";
    throw new ApiError(429, "queue_full", words);
  }
}

/** The place in the queue, from 1. */
export function placeIn(queue: MessageQueue, messageId: string): number {
  return queue.findIndex((row) => row.messageId === messageId) + 1;
}

/** The message as clients see it. */
export function queuedInfo({
  messageId,
  message,
  queuedAt,
  attachments,
}: QueuedRow): QueuedMessageInfo {
  return {
    message_id: messageId,
    message,
    queued_at: queuedAt,
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ filename, media_type }) => ({ filename, media_type })),
    }),
  };
}

/** The messages for the composer of the person who has stopped. */
export function withdrawn(rows: readonly QueuedRow[]): Withdrawn {
  return {
    queued: rows.map(({ message }) => message),
    queued_messages: rows.map(returnedMessage),
  };
}

export function returnedMessage(row: QueuedRow): ReturnedMessage {
  return { ...queuedInfo(row), attachments: row.attachments };
}

function charsOf({ message, attachments }: Pick<QueuedRow, "message" | "attachments">): number {
  return attachments.reduce((sum, { content }) => sum + content.length, message.length);
}

function rowOf(queue: MessageQueue, messageId: string): QueuedRow | undefined {
  return queue.find((row) => row.messageId === messageId);
}
