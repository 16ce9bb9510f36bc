/** Which user message the bridge is given, and when. The others wait. */
import type { QueueChange } from "../../client/host-api.ts";
import type { QueuedMessage } from "../../client/reduced-session.ts";
import { isFree } from "./bridge-readiness.ts";
import { respondDeferred } from "./message-receipts.ts";
import { messageSent, queueChanged, sessionChanged } from "./session-events.ts";
import { isSpent } from "./session-limit.ts";
import type { SessionState } from "./session-state.ts";
import { titleOf } from "./session-summary.ts";
import type { StepDraft } from "./step-draft.ts";
import { waitingIn } from "./unread-messages.ts";

/** Gives the bridge the next message, if it is its turn. */
export function advance(draft: StepDraft): void {
  if (isSpent(draft.state)) hold(draft);
  const [next] = waitingIn(draft.state.reduced);
  if (next === undefined || draft.state.reduced.isQueueHeld || !isFree(draft.state)) return;
  startTurn(draft, next);
  const deferred = draft.state.deferred.find(({ messageId }) => messageId === next.messageId);
  if (deferred !== undefined)
    respondDeferred(draft, deferred.messageId, { status: "sent", message_id: next.messageId });
}

/** The queue goes on when a person sends something. */
export function hold(draft: StepDraft): void {
  const { isQueueHeld } = draft.state.reduced;
  if (isQueueHeld || waitingIn(draft.state.reduced).length === 0) return;
  draft.add(queueChanged({ held: true }));
}

/** It has the next turn, of which the first gives the session its title. */
export function startTurn(draft: StepDraft, message: QueuedMessage): void {
  const title = draft.state.row.title === "" ? titleOf(message.text ?? "") : "";
  if (title !== "") {
    draft.add(sessionChanged({ title }));
    draft.setRow({ title });
  }
  draft.setRow({ inFlight: message.messageId });
  deliver(draft, message, false);
}

/** Writes the message to the bridge: as the next turn, or into the open one. */
export function deliver(
  draft: StepDraft,
  { messageId, text = "" }: QueuedMessage,
  isSteering: boolean,
): void {
  draft.add(messageSent({ message_id: messageId, message: text }, draft.at));
  const attachments = draft.state.attachments.get(messageId);
  draft.do({
    kind: "send",
    message: {
      type: "user_message",
      message_id: messageId,
      text,
      ...(attachments && { attachments: [...attachments] }),
      ...(isSteering && { delivery: "steer" }),
    },
  });
}

/** The queue goes on. */
export function release(draft: StepDraft): void {
  addChange(draft, released(draft.state));
}

export function released({ reduced }: SessionState): QueueChange {
  return reduced.isQueueHeld ? { held: false } : {};
}

export function addChange(draft: StepDraft, change: QueueChange): void {
  if (Object.keys(change).length > 0) draft.add(queueChanged(change));
}
