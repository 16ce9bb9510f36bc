/** Whether the bridge of a session takes messages, and how one is asked for. */
import { isRunning } from "../../client/task-status.ts";
import { hasOpenTurn, type SessionState } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";

/** A bridge takes messages, and has said that Claude runs. */
export function isReady(state: SessionState): boolean {
  return isUp(state) && !isRenewalDue(state);
}

/** The next message may be given. */
export function isFree(state: SessionState): boolean {
  return isReady(state) && state.row.inFlight === undefined && !hasOpenTurn(state.reduced);
}

function isUp({ bridge }: SessionState): boolean {
  return bridge.phase === "running" && !bridge.isClosing;
}

/**
 * Claude's budget is that of its start. Where the limit is another one meanwhile, or Claude says that its
 * budget is spent, it is ended before the next turn and started anew; what it does now is not ended for that.
 */
function isRenewalDue(state: SessionState): boolean {
  const { bridge, row, reduced } = state;
  if (!isUp(state) || (!bridge.isSpent && bridge.limitAtStart === row.limitUsd)) return false;
  return !hasOpenTurn(reduced) && !reduced.backgroundTasks.some(isRunning);
}

/** Starts a bridge where none runs, or one with another budget. */
export function begin(draft: StepDraft): void {
  const { bridge } = draft.state;
  if (isRenewalDue(draft.state)) {
    draft.setBridge({ isRenewing: true, isClosing: true });
    draft.do({ kind: "close" });
  } else if (bridge.phase === "none" && !bridge.isClosing) {
    draft.setBridge({ phase: "starting" });
    draft.do({ kind: "start" });
  }
}
