/**
 * Steps of the usage limit: a refused turn is recorded, and continues once when its time has come, unless
 * something else happens before. Each record is in the commit of its cause.
 */
import { present, textsOf } from "../../client/claude-value.ts";
import type { TurnComplete } from "../../src/messages/turn-messages.ts";
import type { OutboundMessage } from "../../src/types.ts";
import type { RefusedTurn } from "../journal/journal.ts";
import { isFinalReceipt } from "./bridge-messages.ts";
import { begin } from "./bridge-readiness.ts";
import { advance, hold, release } from "./message-delivery.ts";
import { hostError, sessionChanged } from "./session-events.ts";
import type { LimitInput } from "./session-input.ts";
import { checkLimit } from "./session-limit.ts";
import type { StepDraft } from "./step-draft.ts";
import {
  goesOnAt,
  isRefusal,
  isSentAgain,
  isTooFar,
  type LimitChange,
  limitInfo,
  MAX_TIMES,
  resetAfter,
  unansweredMessage,
  waitingTurn,
  withUsageLimit,
} from "./usage-limit.ts";

/** The code of errors about the usage limit. */
const CODE = "usage_limit";

/** The effect of a bridge's message on the usage limit; called once the message is in the state. */
export function onUsageLimit(draft: StepDraft, message: OutboundMessage): void {
  switch (message.type) {
    case "turn_complete":
      if (isRefusal(message, draft.state.reduced)) refuse(draft, message);
      else if (message.result === "success") change(draft, { times: 0 });
      break;
    case "turn_started":
      if (textsOf(message.message_ids).some((id) => isOnItsWay(draft, id))) begun(draft);
      break;
    case "message_status":
      if (!isOnItsWay(draft, message.message_id)) break;
      if (message.status === "started") begun(draft);
      // A bridge that ends with the host has sent nothing to Claude.
      else if (isFinalReceipt(message) && !draft.state.bridge.isClosing) forget(draft);
      break;
  }
}

/** A person chooses whether the session continues by itself, or the time may have come. */
export function onLimitInput(draft: StepDraft, input: LimitInput): void {
  if (input.kind === "go_on") {
    goOn(draft, input.messageId);
    return;
  }
  if (input.kind === "cancel_going_on") stopWaiting(draft);
  else if (input.isOn) {
    change(draft, { goesOn: true, times: 0 });
    if (waitingTurn(draft.state.row) !== undefined) release(draft);
  } else {
    if (waitingTurn(draft.state.row) !== undefined) hold(draft);
    change(draft, { goesOn: undefined });
  }
  draft.resolve(input.reply, undefined);
}

/** A person has sent another message. */
export function forgetRefusal(draft: StepDraft): void {
  change(draft, { refused: undefined, times: 0 });
}

/** A person has stopped the session. Messages behind the refused one wait for a person. */
export function stopWaiting(draft: StepDraft): void {
  if (waitingTurn(draft.state.row) !== undefined) hold(draft);
  forgetRefusal(draft);
}

/** The host's clock says that the time has come. Does nothing if the time has changed meanwhile. */
function goOn(draft: StepDraft, sendId: string): void {
  const { row } = draft.state;
  const [turn, at] = [waitingTurn(row), goesOnAt(row)];
  if (turn === undefined || at === undefined) return;
  if (isTooFar(at, draft.at)) {
    giveUp(draft, "the clock of this machine was set back: the usage limit is not waited for");
    return;
  }
  if (at > draft.at) return;
  try {
    checkLimit(draft.state);
  } catch (error) {
    giveUp(draft, error instanceof Error ? error.message : String(error));
    return;
  }
  change(draft, { refused: { ...turn, sendId: turn.sendId ?? sendId } });
  advance(draft);
  begin(draft);
}

/** Claude cannot be started, so the session does not continue by itself. */
export function dropGoingOn(draft: StepDraft): void {
  if (draft.state.row.usageLimit?.refused?.sendId !== undefined) forget(draft);
}

function refuse(draft: StepDraft, message: TurnComplete): void {
  const { row, reduced } = draft.state;
  const { goesOn, times = 0, refused } = row.usageLimit ?? {};
  const resetsAt = resetAfter(reduced, draft.at);
  if (resetsAt === undefined) {
    giveUp(draft, "the reset of the usage limit is not known, or too far away to wait for");
    return;
  }
  // A turn that Claude begins by itself meanwhile changes the time, but not the message that continues.
  const messageId = refused === undefined ? unansweredMessage(reduced, message) : refused.messageId;
  const sendId = refused?.sendId === row.inFlight ? row.inFlight : undefined;
  change(draft, { refused: { ...present({ messageId, sendId }), resetsAt } });
  if (waitingTurn(draft.state.row) !== undefined) return;
  if (goesOn === true && times >= MAX_TIMES)
    draft.add(hostError(CODE, `the usage limit has refused it ${MAX_TIMES + 1} times in a row`));
  hold(draft);
}

/** Holds the queue: the limit would refuse the waiting messages, too. */
function giveUp(draft: StepDraft, why: string): void {
  if (draft.state.row.usageLimit?.goesOn === true) draft.add(hostError(CODE, why));
  hold(draft);
  forget(draft);
}

function isOnItsWay({ state }: StepDraft, messageId: string): boolean {
  return state.row.usageLimit?.refused?.sendId === messageId;
}

function begun(draft: StepDraft): void {
  const { times = 0 } = draft.state.row.usageLimit ?? {};
  change(draft, { times: times + 1, refused: undefined });
}

function forget(draft: StepDraft): void {
  change(draft, { refused: undefined });
}

/**
 * Changes the record: clients get the parts that they show, and attachments that it does not need are
 * dropped.
 */
function change(draft: StepDraft, wanted: LimitChange): void {
  const { row: before } = draft.state;
  const row = withUsageLimit(before, wanted);
  if (Bun.deepEquals(row, before)) return;
  const [told, now] = [limitInfo(before), limitInfo(row)];
  const changed = LIMIT_FIELDS.flatMap((name) =>
    told[name] === now[name] ? [] : [[name, now[name] ?? null] as const],
  );
  if (changed.length > 0) draft.add(sessionChanged(Object.fromEntries(changed)));
  draft.replaceRow(row);
  detachGone(draft, before.usageLimit?.refused);
}

const LIMIT_FIELDS = ["goes_on", "limit_resets_at", "goes_on_at"] as const;

function detachGone(draft: StepDraft, before: RefusedTurn | undefined): void {
  for (const id of [before?.messageId, before?.sendId]) {
    const { row } = draft.state;
    if (id !== undefined && id !== row.inFlight && !isSentAgain(row, id)) draft.detach(id);
  }
}
