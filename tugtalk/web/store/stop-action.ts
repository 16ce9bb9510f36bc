/** The action of Stop in a state. Pure. */
import type { ReducedSession } from "../../client/reduced-session.ts";
import { isRunning } from "../../client/task-status.ts";

/**
 * `interrupt` ends the turn; `offer` asks whether the background work is to be ended, too; `clear` empties
 * the composer.
 */
export type StopAction = "interrupt" | "offer" | "clear" | "none";

export type Stoppable = Pick<
  ReducedSession,
  "openEntries" | "queue" | "isQueueHeld" | "backgroundTasks"
>;

/** Whether a turn is open, or a message on its way to Claude. */
export function isInterruptible({
  openEntries,
  queue,
}: Pick<Stoppable, "openEntries" | "queue">): boolean {
  return (
    openEntries.some((entry) => entry.kind === "turn" && entry.status === "running") ||
    queue.some(({ isSent }) => isSent)
  );
}

/** `isSending`: a message is on its way to the host, and the page does not know of its turn yet. */
export function stopAction(state: Stoppable, isSending: boolean): StopAction {
  // Messages in a queue that is not held wait for a Claude that is starting.
  const isGoingOn = state.queue.length > 0 && !state.isQueueHeld;
  if (isSending || isGoingOn || isInterruptible(state)) return "interrupt";
  return state.backgroundTasks.some(isRunning) ? "offer" : "none";
}
