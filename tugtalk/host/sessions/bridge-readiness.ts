/** Whether the bridge of a session takes messages, and how one is asked for. */
import { isRunning } from "../../client/task-status.ts";
import { ApiError } from "../api/api-error.ts";
import { sessionChanged } from "./session-events.ts";
import { without } from "./session-row.ts";
import { hasOpenTurn, type SessionState } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";
import { waitingIn } from "./unread-messages.ts";

/** A bridge takes messages, and has said that Claude runs. */
export function isReady(state: SessionState): boolean {
  return isUp(state) && !isRenewalDue(state);
}

/** The next message may be given. */
export function isFree(state: SessionState): boolean {
  const { bridge, row, reduced } = state;
  if (!isReady(state) || bridge.rewinding !== undefined || row.move !== undefined) return false;
  return row.inFlight === undefined && !hasOpenTurn(reduced);
}

function isUp({ bridge }: SessionState): boolean {
  return bridge.phase === "running" && !bridge.isClosing;
}

/**
 * Claude has the budget of its start. Where the limit is another one meanwhile, or Claude says that
 * its budget is spent, Claude is ended before the next turn and started anew. The running turn goes
 * on.
 */
function isRenewalDue(state: SessionState): boolean {
  const { reduced } = state;
  if (!isUp(state) || hasCurrentBudget(state)) return false;
  return !hasOpenTurn(reduced) && !reduced.backgroundTasks.some(isRunning);
}

/** Claude runs with the budget that its next turn may have. */
export function hasCurrentBudget({ bridge, row }: Pick<SessionState, "bridge" | "row">): boolean {
  return !bridge.isSpent && bridge.limitAtStart === row.limitUsd;
}

/** The bridge of a Claude that has ended by itself starts another one with the next message only. */
export function hasLostClaude({ row, reduced, bridge }: SessionState): boolean {
  return bridge.phase === "running" && reduced.status === "exited" && row.inFlight === undefined;
}

/** Ends Claude, to start it anew. Messages that are sent meanwhile wait. */
export function renew(draft: StepDraft): void {
  draft.setBridge({ isRenewing: true, isClosing: true });
  draft.do({ kind: "close" });
}

/** Starts a bridge where none runs, or one with another budget. */
export function begin(draft: StepDraft): void {
  const { bridge } = draft.state;
  if (isRenewalDue(draft.state)) renew(draft);
  else if (bridge.phase === "none" && !bridge.isClosing) {
    bringBack(draft);
    draft.setBridge({ phase: "starting" });
    draft.do({ kind: "start" });
  }
}

/** It is put away no more. */
export function bringBack(draft: StepDraft): void {
  if (draft.state.row.archivedAt === undefined) return;
  draft.add(sessionChanged({ archived_at: null }));
  draft.replaceRow(without(draft.state.row, "archivedAt"));
}

/** Why something else has to end before. */
export function atWork(message: string): ApiError {
  return new ApiError(409, "at_work", message);
}

/** Whether something would be lost with Claude. */
export function isAtWork({ row, reduced, bridge }: SessionState): boolean {
  if (bridge.phase === "none") return false;
  return (
    bridge.phase === "starting" ||
    row.inFlight !== undefined ||
    reduced.prompts.length > 0 ||
    hasOpenTurn(reduced) ||
    reduced.backgroundTasks.some(isRunning) ||
    (waitingIn(reduced).length > 0 && !reduced.isQueueHeld)
  );
}
