/** The unread user messages in the state of a session. Pure. */
import type { QueuedMessageInfo, ReturnedMessage } from "../../client/host-api.ts";
import type { QueuedMessage, ReducedSession } from "../../client/reduced-session.ts";
import { ApiError } from "../api/api-error.ts";
import type { Attachments } from "../journal/journal.ts";
import type { SessionState } from "./session-state.ts";

/** The most messages that wait, and the most characters. */
const MAX_QUEUED = 100;
const MAX_QUEUED_CHARS = 64 * 1024 * 1024;

/** The messages that wait in the host's queue, in order. */
export function waitingIn({ queue }: ReducedSession): readonly QueuedMessage[] {
  // A message without a time is known from the bridge alone.
  return queue.filter(({ isSent, queuedAt }) => isSent !== true && queuedAt !== undefined);
}

/** The messages that the bridge has and Claude did not take. */
export function sentIn({ queue }: ReducedSession): readonly QueuedMessage[] {
  return queue.filter(({ isSent }) => isSent);
}

/** The messages that have started and have no last receipt. */
export function startedIn({ openEntries }: ReducedSession): readonly QueuedMessage[] {
  return openEntries.flatMap(({ items }) =>
    items.flatMap((item) =>
      item.kind === "user" && item.status === "started" && item.messageId !== undefined
        ? [{ messageId: item.messageId, text: item.text }]
        : [],
    ),
  );
}

/** Whether the message is a text of the host's own, which nobody takes back. */
export function isHostsOwn({ queue, openEntries }: ReducedSession, messageId: string): boolean {
  const turns = openEntries.flatMap((entry) => (entry.kind === "turn" ? [entry] : []));
  const marks = [
    ...queue.filter((one) => one.messageId === messageId).map(({ afterLimit }) => afterLimit),
    ...turns.map(({ afterLimit }) =>
      afterLimit?.messageId === messageId ? afterLimit : undefined,
    ),
  ];
  return marks.some((mark) => mark !== undefined && mark.again === undefined);
}

/** The place in the queue, from 1; 0 for a message that does not wait. */
export function placeIn(reduced: ReducedSession, messageId: string): number {
  return waitingIn(reduced).findIndex((one) => one.messageId === messageId) + 1;
}

/** Whether the message waits to be taken back. */
export function isReturned({ reduced }: SessionState, messageId: string): boolean {
  return reduced.returned.some((one) => one.messageId === messageId);
}

type Known = Pick<SessionState, "attachments">;

/** The message as clients see it. */
export function messageInfo(
  { attachments }: Known,
  { messageId, text = "", queuedAt, sentAt, delivery }: QueuedMessage,
): QueuedMessageInfo {
  const files = attachments.get(messageId);
  return {
    message_id: messageId,
    message: text,
    queued_at: queuedAt ?? sentAt ?? 0,
    ...(delivery !== undefined && { delivery }),
    ...(files && {
      attachments: files.map(({ filename, media_type }) => ({ filename, media_type })),
    }),
  };
}

/** The message with all its attachments. */
export function wholeMessage(state: Known, message: QueuedMessage): ReturnedMessage {
  const attachments = state.attachments.get(message.messageId) ?? [];
  return { ...messageInfo(state, message), attachments };
}

export type AddedMessage = { readonly message: string; readonly attachments: Attachments };

/** Throws `ApiError` 429 if the host would keep too many messages, queued and returned. */
export function checkRoom(
  { reduced, attachments }: Pick<SessionState, "reduced" | "attachments">,
  added: AddedMessage,
  /** The message that is replaced, or whose text changes. */
  goneId?: string,
): void {
  const kept = [...waitingIn(reduced), ...reduced.returned].filter(
    ({ messageId }) => messageId !== goneId,
  );
  if (kept.length >= MAX_QUEUED) {
    const message = `${MAX_QUEUED} messages wait already, those to be taken back included`;
    throw new ApiError(429, "queue_full", message);
  }
  const chars = kept.reduce(
    (sum, { messageId, text = "" }) => sum + charsOf(text, attachments.get(messageId)),
    charsOf(added.message, added.attachments),
  );
  if (chars > MAX_QUEUED_CHARS) {
    const message = "the messages that wait, or wait to be taken back, are too long together";
    throw new ApiError(429, "queue_full", message);
  }
}

function charsOf(message: string, attachments: Attachments = []): number {
  return attachments.reduce((sum, { content }) => sum + content.length, message.length);
}
