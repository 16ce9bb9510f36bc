/** Whether the bridge of a session takes messages, and requests for a bridge. */
import { isRunning } from "../../client/task-status.ts";
import { ApiError } from "../api/api-error.ts";
import { sessionChanged } from "./session-events.ts";
import { without } from "./session-row.ts";
import { hasOpenTurn, type SessionState } from "./session-state.ts";
import type { StepDraft } from "./step-draft.ts";
import { waitingIn } from "./unread-messages.ts";

/** The bridge takes messages, and has reported that Claude runs. */
export function isReady(state: SessionState): boolean {
  return isUp(state) && !isRenewalDue(state);
}

/** The bridge is free for the next message. */
export function isFree(state: SessionState): boolean {
  const { bridge, row, reduced } = state;
  if (!isReady(state) || bridge.rewinding !== undefined || row.move !== undefined) return false;
  return row.inFlight === undefined && !hasOpenTurn(reduced);
}

function isUp({ bridge }: SessionState): boolean {
  return bridge.phase === "running" && !bridge.isClosing;
}

/**
 * Claude has the budget of its start. If the limit has changed since, or Claude reports that its budget is
 * spent, Claude is ended before the next turn and started anew. The running turn goes on.
 */
function isRenewalDue(state: SessionState): boolean {
  const { reduced } = state;
  if (!isUp(state) || hasCurrentBudget(state)) return false;
  return !hasOpenTurn(reduced) && !reduced.backgroundTasks.some(isRunning);
}

/** Claude runs with the budget that its next turn may use. */
export function hasCurrentBudget({ bridge, row }: Pick<SessionState, "bridge" | "row">): boolean {
  return !bridge.isSpent && bridge.limitAtStart === row.limitUsd;
}

/** Claude has ended by itself: the bridge starts another one only with the next message. */
export function hasLostClaude({ row, reduced, bridge }: SessionState): boolean {
  return bridge.phase === "running" && reduced.status === "exited" && row.inFlight === undefined;
}

/** Ends Claude to start it anew. Messages that come meanwhile wait. */
export function renew(draft: StepDraft): void {
  draft.setBridge({ isRenewing: true, isClosing: true });
  draft.do({ kind: "close" });
}

/** Starts a bridge if none runs, or a new one with another budget. */
export function begin(draft: StepDraft): void {
  const { bridge } = draft.state;
  if (isRenewalDue(draft.state)) renew(draft);
  else if (bridge.phase === "none" && !bridge.isClosing) {
    bringBack(draft);
    draft.setBridge({ phase: "starting" });
    draft.do({ kind: "start" });
  }
}

/** Unarchives the session. */
export function bringBack(draft: StepDraft): void {
  if (draft.state.row.archivedAt === undefined) return;
  draft.add(sessionChanged({ archived_at: null }));
  draft.replaceRow(without(draft.state.row, "archivedAt"));
}

/** The refusal of a command that has to wait for other work. */
export function atWork(message: string): ApiError {
  return new ApiError(409, "at_work", message);
}

/** Whether the end of Claude would lose work. */
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
