/**
 * One step of a session. From the state and one input it gives entries for the journal, the state after them,
 * and the effects to perform when they are written. Pure. Throws an `ApiError` for a refused command, which
 * then has no effect.
 */
import { archive } from "./archive-steps.ts";
import { closeBridge, onBridge, recover, startFor } from "./bridge-steps.ts";
import { interrupt } from "./interrupt-steps.ts";
import { settleDeferred } from "./message-receipts.ts";
import { onMessage, onQueue } from "./message-steps.ts";
import { checkMove, move } from "./move-steps.ts";
import { answer, settleClaims } from "./prompt-steps.ts";
import { rewind } from "./rewind-steps.ts";
import type { SessionInput, StepContext } from "./session-input.ts";
import type { SessionState } from "./session-state.ts";
import { addHistory, onSetting } from "./setting-steps.ts";
import { StepDraft } from "./step-draft.ts";
import { onLimitInput } from "./usage-limit-steps.ts";

export function step(state: SessionState, input: SessionInput, context: StepContext): StepDraft {
  const draft = new StepDraft(state, context);
  dispatch(draft, input, context);
  if (draft.state.claims.size > 0) settleClaims(draft);
  if (draft.state.deferred.length > 0) settleDeferred(draft);
  return draft;
}

function dispatch(draft: StepDraft, input: SessionInput, context: StepContext): void {
  switch (input.kind) {
    case "message":
      onMessage(draft, input, context);
      break;
    case "edit_queued":
    case "delete_queued":
    case "send_queued":
    case "take_returned":
      onQueue(draft, input, context);
      break;
    case "title":
    case "limit":
    case "mode":
    case "model":
    case "flag_settings":
      onSetting(draft, input);
      break;
    case "goes_on":
    case "cancel_going_on":
    case "go_on":
      onLimitInput(draft, input);
      break;
    case "history":
    case "no_history":
    case "answer":
    case "interrupt":
    case "rewind":
      onTurn(draft, input);
      break;
    case "start":
    case "close":
    case "archive":
    case "recovered":
    case "index":
    case "move":
      onLife(draft, input);
      break;
    default:
      onBridge(draft, input);
  }
}

type LifeInput = Extract<
  SessionInput,
  { kind: "start" | "close" | "archive" | "recovered" | "index" | "move" }
>;

/** Inputs about the start, the end and the place of Claude, and about the start of a host. */
function onLife(draft: StepDraft, input: LifeInput): void {
  switch (input.kind) {
    case "start":
      startFor(draft, input.reply);
      break;
    case "close":
      closeBridge(draft, input);
      break;
    case "archive":
      archive(draft, input);
      break;
    case "move":
      checkMove(draft.state, input.isForced);
      if (input.target === undefined) closeBridge(draft, { isFinal: true, reply: input.reply });
      else move(draft, input.target, input.reply);
      break;
    case "recovered":
      recover(draft, input.isBridgeGone);
      break;
    case "index":
      draft.indexesState = true;
      draft.resolve(input.reply, undefined);
      break;
  }
}

type TurnInput = Extract<
  SessionInput,
  { kind: "history" | "no_history" | "answer" | "interrupt" | "rewind" }
>;

/** An input about Claude's earlier work, or a command about its work. */
function onTurn(draft: StepDraft, input: TurnInput): void {
  switch (input.kind) {
    case "history":
    case "no_history":
      addHistory(draft, input);
      break;
    case "answer":
      answer(draft, input.answer);
      break;
    case "interrupt":
      interrupt(draft, input);
      break;
    case "rewind":
      rewind(draft, input);
      break;
  }
}
