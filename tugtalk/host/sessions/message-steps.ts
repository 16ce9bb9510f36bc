/** Steps of the commands about user messages: a new message, and a waiting or returned one. */
import type { QueuedMessage } from "../../client/reduced-session.ts";
import { ApiError } from "../api/api-error.ts";
import type { Delivery } from "../api/host-session.ts";
import { begin, bringBack, hasCurrentBudget, isFree, isReady } from "./bridge-readiness.ts";
import {
  addChange,
  advance,
  deliver,
  hold,
  release,
  released,
  startTurn,
} from "./message-delivery.ts";
import { type Answering, keepReply, respond, respondDeferred } from "./message-receipts.ts";
import { lingerLeft } from "./old-bridge.ts";
import { notReturned } from "./returned-messages.ts";
import { messageQueued, messageTaken, queueChanged } from "./session-events.ts";
import type { MessageCommand, QueueCommand, StepContext } from "./session-input.ts";
import { checkLimit } from "./session-limit.ts";
import { hasOpenTurn, type SessionState } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";
import {
  checkRoom,
  isReturned,
  messageInfo,
  placeIn,
  waitingIn,
  wholeMessage,
} from "./unread-messages.ts";
import { forgetRefusal } from "./usage-limit-steps.ts";

/** A new message of a client. The same command again gets the first receipt, or the fate of the message. */
export function onMessage(draft: StepDraft, command: MessageCommand, context: StepContext): void {
  const { known } = context;
  if (known === undefined) {
    takeMessage(draft, command, context);
    return;
  }
  if (known.hash !== command.dedupe?.hash) {
    const message = "client_msg_id: another message was sent with it";
    throw new ApiError(409, "client_msg_id_used", message);
  }
  const { message_id } = known.receipt;
  const status = isReturned(draft.state, message_id) ? "returned" : context.ended;
  draft.resolve(command.reply, status === undefined ? known.receipt : { status, message_id });
}

function takeMessage(draft: StepDraft, command: MessageCommand, context: StepContext): void {
  const { messageId, message, attachments, delivery } = command;
  forgetRefusal(draft);
  const { state } = draft;
  const atOnce = deliveryAtOnce(state, delivery);
  if (atOnce !== "steer") checkTurnAllowed(state, context);
  const isNext = waitingIn(state.reduced).length === 0 && isFree(state);
  if (atOnce === undefined && !isNext) {
    enqueue(draft, command);
    if (delivery === "now") {
      putFirst(draft, messageId);
      endTurn(draft);
    }
    sendOrWait(draft, messageId, command);
    return;
  }
  checkRoom(state, command);
  draft.attach(messageId, attachments);
  give(draft, { messageId, text: message }, atOnce);
  respond(draft, command, { status: "sent", message_id: messageId });
}

/** Sends the message into the open turn or with the next one. Waiting messages go behind it. */
function give(draft: StepDraft, message: QueuedMessage, atOnce: AtOnce | undefined): void {
  if (atOnce === "steer") deliver(draft, message, atOnce);
  else startTurn(draft, message, atOnce);
  if (atOnce === "now") release(draft);
}

/** A command about a waiting or returned message. */
export function onQueue(draft: StepDraft, command: QueueCommand, context: StepContext): void {
  switch (command.kind) {
    case "edit_queued":
      edit(draft, command);
      break;
    case "delete_queued":
      remove(draft, command);
      break;
    case "send_queued":
      sendNow(draft, command, context);
      break;
    case "take_returned":
      takeBack(draft, command, context);
      break;
  }
}

type Of<Kind extends QueueCommand["kind"]> = Extract<QueueCommand, { kind: Kind }>;

function edit(draft: StepDraft, { messageId, message, reply }: Of<"edit_queued">): void {
  findWaiting(draft.state, messageId);
  const attachments = draft.state.attachments.get(messageId) ?? [];
  checkRoom(draft.state, { message, attachments }, messageId);
  draft.add(queueChanged({ edited: [{ message_id: messageId, message }] }));
  draft.resolve(reply, undefined);
}

function remove(draft: StepDraft, { messageId, reply }: Of<"delete_queued">): void {
  findWaiting(draft.state, messageId);
  const isLast = waitingIn(draft.state.reduced).length === 1;
  draft.add(queueChanged({ removed: [messageId], ...(isLast && released(draft.state)) }));
  end(draft, messageId, "deleted");
  draft.resolve(reply, undefined);
}

/** Sends the message before all others: into the open turn, or in its place. */
function sendNow(draft: StepDraft, command: Of<"send_queued">, context: StepContext): void {
  const { messageId, delivery, reply } = command;
  forgetRefusal(draft);
  const atOnce = deliveryAtOnce(draft.state, delivery);
  if (atOnce !== "steer") checkTurnAllowed(draft.state, context);
  const message = findWaiting(draft.state, messageId);
  if (atOnce !== undefined) {
    give(draft, message, atOnce);
    release(draft);
    draft.resolve(reply, { status: "sent", message_id: messageId });
    return;
  }
  putFirst(draft, messageId);
  if (delivery === "now") endTurn(draft);
  sendOrWait(draft, messageId, { reply });
}

/** Puts the message before all waiting ones. */
function putFirst(draft: StepDraft, messageId: string): void {
  const [first] = waitingIn(draft.state.reduced);
  const isFirst = first === undefined || first.messageId === messageId;
  const moved = isFirst ? {} : { moved: [{ message_id: messageId, before: first.messageId }] };
  addChange(draft, { ...moved, ...released(draft.state) });
}

function takeBack(
  draft: StepDraft,
  { messageId, reply }: Of<"take_returned">,
  { ended }: StepContext,
): void {
  const message = draft.state.reduced.returned.find((one) => one.messageId === messageId);
  if (message === undefined) throw notReturned(ended === "taken");
  const whole = wholeMessage(draft.state, message);
  draft.add(messageTaken(messageId));
  end(draft, messageId, "taken");
  draft.resolve(reply, whole);
}

/** Sends the next message if one may be sent, starts a bridge for it if needed, and answers the command. */
function sendOrWait(draft: StepDraft, messageId: string, answering: Answering): void {
  bringBack(draft);
  advance(draft);
  const { state, at, upAt } = draft;
  const position = placeIn(state.reduced, messageId);
  if (position === 0) {
    respond(draft, answering, { status: "sent", message_id: messageId });
    return;
  }
  const { phase, isClosing, isRenewing, isFinal } = state.bridge;
  const isEnding = isClosing && !isRenewing;
  // After a person has ended Claude, a message starts the next Claude once this one is gone.
  if (isEnding && isFinal) hold(draft);
  else if (!isEnding) begin(draft);
  const isLingering = phase === "none" && lingerLeft(state.row, at, upAt) > 0;
  const isStarted = isReady(state) || isLingering || isEnding;
  if (!isStarted) {
    const { reply, dedupe } = answering;
    draft.setDeferred([...state.deferred, { messageId, dedupe, reply }]);
    keepReply(draft, dedupe, { status: "queued", message_id: messageId, position });
  } else respond(draft, answering, { status: "queued", message_id: messageId, position });
}

function enqueue(draft: StepDraft, command: MessageCommand): void {
  const { messageId, message, attachments, delivery } = command;
  const replaced =
    delivery === "replace"
      ? waitingIn(draft.state.reduced).find((one) => one.delivery === "replace")
      : undefined;
  checkRoom(draft.state, command, replaced?.messageId);
  draft.attach(messageId, attachments);
  const info = messageInfo(draft.state, {
    messageId,
    text: message,
    queuedAt: draft.at,
    ...(delivery === "replace" && { delivery }),
  });
  if (replaced === undefined) {
    draft.add(messageQueued(info));
    release(draft);
    return;
  }
  const { messageId: before } = replaced;
  const change = { added: [{ ...info, before }], removed: [before] };
  draft.add(queueChanged({ ...change, ...released(draft.state) }));
  end(draft, before, "replaced");
}

/** Removes a message that Claude never reads. */
function end(draft: StepDraft, messageId: string, status: "taken" | "deleted" | "replaced"): void {
  draft.endedMessages.push({ messageId, status });
  draft.detach(messageId);
  respondDeferred(draft, messageId, { status, message_id: messageId });
}

/** Throws an `ApiError` if no turn may start. */
function checkTurnAllowed(state: SessionState, { inUse }: StepContext): void {
  checkLimit(state);
  if (state.bridge.phase === "none" && inUse !== undefined) throw inUse;
}

/** Interrupts the turn, since Claude can be renewed for a waiting message only between two turns. */
function endTurn(draft: StepDraft): void {
  if (isReady(draft.state) && hasOpenTurn(draft.state.reduced))
    draft.do({ kind: "send", message: { type: "interrupt" } });
}

type AtOnce = "steer" | "now";

/** How the bridge gets the message although a turn is open; undefined: the message waits. */
function deliveryAtOnce(state: SessionState, delivery: Delivery): AtOnce | undefined {
  if (!isReady(state)) return undefined;
  if (delivery === "steer") return hasOpenTurn(state.reduced) ? delivery : undefined;
  if (delivery !== "now" || isFree(state)) return undefined;
  return hasCurrentBudget(state) ? delivery : undefined;
}

function findWaiting({ reduced }: SessionState, messageId: string): QueuedMessage {
  const message = waitingIn(reduced).find((one) => one.messageId === messageId);
  if (message === undefined)
    throw new ApiError(404, "unknown_message", "the message does not wait in the queue");
  return message;
}
