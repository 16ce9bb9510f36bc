/** Steps of the commands about user messages: a new one, and those about one that waits or was returned. */
import type { QueuedMessage } from "../../client/reduced-session.ts";
import { ApiError } from "../api/api-error.ts";
import { begin, isFree, isReady } from "./bridge-readiness.ts";
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

/** A new message of a client. The same command again gets the first receipt, or what became of the message. */
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
  if (delivery === "steer" && takesSteering(draft.state)) {
    checkRoom(draft.state, command);
    draft.attach(messageId, attachments);
    deliver(draft, { messageId, text: message }, true);
    respond(draft, command, { status: "sent", message_id: messageId });
    return;
  }
  checkTurnAllowed(draft.state, context);
  if (waitingIn(draft.state.reduced).length > 0 || !isFree(draft.state)) {
    enqueue(draft, command);
    sendOrWait(draft, messageId, command);
    return;
  }
  checkRoom(draft.state, command);
  draft.attach(messageId, attachments);
  startTurn(draft, { messageId, text: message });
  respond(draft, command, { status: "sent", message_id: messageId });
}

/** A command about one message that waits, or was returned. */
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

/** Before all others, or into the open turn. */
function sendNow(draft: StepDraft, command: Of<"send_queued">, context: StepContext): void {
  const { messageId, delivery, reply } = command;
  if (delivery === "steer" && takesSteering(draft.state)) {
    deliver(draft, findWaiting(draft.state, messageId), true);
    release(draft);
    draft.resolve(reply, { status: "sent", message_id: messageId });
    return;
  }
  checkTurnAllowed(draft.state, context);
  findWaiting(draft.state, messageId);
  const [first] = waitingIn(draft.state.reduced);
  const isFirst = first === undefined || first.messageId === messageId;
  const moved = isFirst ? {} : { moved: [{ message_id: messageId, before: first.messageId }] };
  addChange(draft, { ...moved, ...released(draft.state) });
  sendOrWait(draft, messageId, { reply });
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

/** Sends what may be sent, with a bridge that is started for it, and answers the command. */
function sendOrWait(draft: StepDraft, messageId: string, answering: Answering): void {
  advance(draft);
  const { state, at } = draft;
  const position = placeIn(state.reduced, messageId);
  if (position === 0) {
    respond(draft, answering, { status: "sent", message_id: messageId });
    return;
  }
  const { phase, isClosing, isRenewing } = state.bridge;
  if (isClosing && !isRenewing) hold(draft);
  else begin(draft);
  const isLingering = phase === "none" && lingerLeft(state.row, at) > 0;
  const isStarted = isReady(state) || isLingering || (isClosing && !isRenewing);
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

/** A message that Claude never reads is no more kept. */
function end(draft: StepDraft, messageId: string, status: "taken" | "deleted" | "replaced"): void {
  draft.endedMessages.push({ messageId, status });
  draft.detach(messageId);
  respondDeferred(draft, messageId, { status, message_id: messageId });
}

/** Throws an `ApiError` where no turn may start. */
function checkTurnAllowed(state: SessionState, { inUse }: StepContext): void {
  checkLimit(state);
  if (state.bridge.phase === "none" && inUse !== undefined) throw inUse;
}

function takesSteering(state: SessionState): boolean {
  return isReady(state) && hasOpenTurn(state.reduced);
}

function findWaiting({ reduced }: SessionState, messageId: string): QueuedMessage {
  const message = waitingIn(reduced).find((one) => one.messageId === messageId);
  if (message === undefined)
    throw new ApiError(404, "unknown_message", "the message does not wait in the queue");
  return message;
}
