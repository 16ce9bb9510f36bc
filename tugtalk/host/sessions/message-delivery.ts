/** The choice of the user message that the bridge gets next. The others wait. */
import { present } from "../../client/claude-value.ts";
import type { QueueChange } from "../../client/host-api.ts";
import type { QueuedMessage } from "../../client/reduced-session.ts";
import type { RefusedTurn } from "../journal/journal.ts";
import { isFree } from "./bridge-readiness.ts";
import { respondDeferred } from "./message-receipts.ts";
import { messageSent, queueChanged, sessionChanged } from "./session-events.ts";
import { isSpent } from "./session-limit.ts";
import type { SessionState } from "./session-state.ts";
import { titleOf } from "./session-summary.ts";
import type { StepDraft } from "./step-draft.ts";
import { waitingIn } from "./unread-messages.ts";
import { textAfterLimit, waitingTurn } from "./usage-limit.ts";

/** Gives the bridge the next message if it is free. A session that waits for the usage limit sends none. */
export function advance(draft: StepDraft): void {
  if (isSpent(draft.state)) hold(draft);
  const turn = waitingTurn(draft.state.row);
  if (turn !== undefined) {
    if (turn.sendId !== undefined && isFree(draft.state)) sendAgain(draft, turn.sendId, turn);
    return;
  }
  const [next] = waitingIn(draft.state.reduced);
  if (next === undefined || draft.state.reduced.isQueueHeld || !isFree(draft.state)) return;
  startTurn(draft, next);
  const deferred = draft.state.deferred.find(({ messageId }) => messageId === next.messageId);
  if (deferred !== undefined)
    respondDeferred(draft, deferred.messageId, { status: "sent", message_id: next.messageId });
}

/** Sends a message that the usage limit has refused again, under a new id. */
function sendAgain(draft: StepDraft, messageId: string, turn: RefusedTurn): void {
  const { reduced, attachments } = draft.state;
  const { text, again } = textAfterLimit(reduced, turn);
  if (again !== undefined) {
    draft.attach(messageId, attachments.get(again) ?? []);
    draft.detach(again);
  }
  startTurn(draft, { messageId, text, afterLimit: present({ again }) });
}

/** Holds the queue until a person sends a message. */
export function hold(draft: StepDraft): void {
  const { isQueueHeld } = draft.state.reduced;
  if (isQueueHeld || waitingIn(draft.state.reduced).length === 0) return;
  draft.add(queueChanged({ held: true }));
}

/** Gives the message the next turn. The first message gives the session its title. */
export function startTurn(draft: StepDraft, message: QueuedMessage, delivery?: "now"): void {
  const title = draft.state.row.title === "" ? titleOf(message.text ?? "") : "";
  if (title !== "") {
    draft.add(sessionChanged({ title }));
    draft.setRow({ title });
  }
  draft.setRow({ inFlight: message.messageId });
  deliver(draft, message, delivery);
}

/** Writes the message to the bridge: as the next turn, into the open turn, or in its place. */
export function deliver(
  draft: StepDraft,
  { messageId, text = "", afterLimit }: QueuedMessage,
  delivery?: "steer" | "now",
): void {
  const sent = { message_id: messageId, message: text, sent_at: draft.at };
  draft.add(messageSent({ ...sent, ...present({ after_limit: afterLimit }) }));
  const attachments = draft.state.attachments.get(messageId);
  draft.do({
    kind: "send",
    message: {
      type: "user_message",
      message_id: messageId,
      text,
      ...(attachments && { attachments: [...attachments] }),
      ...(delivery && { delivery }),
    },
  });
}

/** Releases the held queue. */
export function release(draft: StepDraft): void {
  addChange(draft, released(draft.state));
}

export function released({ reduced }: SessionState): QueueChange {
  return reduced.isQueueHeld ? { held: false } : {};
}

export function addChange(draft: StepDraft, change: QueueChange): void {
  if (Object.keys(change).length > 0) draft.add(queueChanged(change));
}
