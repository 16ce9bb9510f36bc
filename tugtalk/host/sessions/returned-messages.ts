/** Messages that Claude will not read. They stay with the host until somebody takes them back. */
import type { ReturnedMessage } from "../../client/host-api.ts";
import type { QueuedMessage, ReducedSession } from "../../client/reduced-session.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import { isFinalReceipt } from "./bridge-messages.ts";
import { release } from "./message-delivery.ts";
import { messageReturned } from "./session-events.ts";
import type { StepDraft } from "./step-draft.ts";
import {
  isHostsOwn,
  isReturned,
  messageInfo,
  sentIn,
  startedIn,
  waitingIn,
} from "./unread-messages.ts";
import { isSentAgain } from "./usage-limit.ts";

/** Why a message cannot be taken back: somebody has taken it, or it was never returned. */
export function notReturned(wasTaken: boolean): ApiError {
  return wasTaken
    ? new ApiError(409, "already_taken", "the message was taken back already")
    : new ApiError(404, "unknown_message", "the message was not returned");
}

/** Returns all waiting messages. */
export function returnWaiting(draft: StepDraft): void {
  for (const message of waitingIn(draft.state.reduced)) returnMessage(draft, message);
  release(draft);
}

/**
 * Returns the messages that Claude gave back after an interrupt. Their receipts may come before its result or
 * after it.
 */
export function returnGivenBack(draft: StepDraft, messages: readonly ReturnedMessage[]): void {
  const { reduced, bridge } = draft.state;
  const open = new Set([...sentIn(reduced), ...startedIn(reduced)].map((one) => one.messageId));
  const isNew = (id: string) => open.has(id) && !bridge.givenBack.has(id);
  const back = messages.filter(({ message_id }) => isNew(message_id));
  for (const { message_id: messageId, message: text, queued_at: queuedAt } of back)
    returnMessage(draft, { messageId, text, queuedAt });
  const ids = back.map(({ message_id }) => message_id);
  draft.setBridge({ givenBack: new Set([...bridge.givenBack, ...ids]) });
}

/** The state lacks the time of a started message, so the time of this step stands in. */
export function returnMessage(draft: StepDraft, message: QueuedMessage): void {
  if (isHostsOwn(draft.state.reduced, message.messageId)) return;
  draft.add(messageReturned(messageInfo(draft.state, { sentAt: draft.at, ...message })));
}

/**
 * Applies the last receipt of a message: Claude has read the message, or never will. `before` is the earlier
 * state.
 */
export function onReceipt(
  draft: StepDraft,
  message: OutboundMessage,
  before: ReducedSession,
): void {
  if (message.type !== "message_status" || !isFinalReceipt(message)) return;
  const { message_id, status } = message;
  if (isSentAgain(draft.state.row, message_id)) return;
  const { givenBack } = draft.state.bridge;
  if (givenBack.has(message_id)) {
    const others = [...givenBack].filter((id) => id !== message_id);
    draft.setBridge({ givenBack: new Set(others) });
    return;
  }
  const isIt = ({ messageId }: QueuedMessage) => messageId === message_id;
  const sent = sentIn(before).find(isIt);
  const started = startedIn(before).find(isIt);
  const unread = status === "failed" ? sent : (sent ?? started);
  if (unread !== undefined && status !== "completed") returnMessage(draft, unread);
  else if (!isReturned(draft.state, message_id)) draft.detach(message_id);
}
