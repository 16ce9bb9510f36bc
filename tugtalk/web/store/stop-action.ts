/** What Stop and Escape are for in a state. Pure. */
import type { ReducedSession } from "../../client/reduced-session.ts";
import { isRunning } from "../../client/task-status.ts";

/**
 * `interrupt` ends the turn; `offer` asks whether the background work is to be ended, too; `clear` empties
 * the composer.
 */
export type StopAction = "interrupt" | "offer" | "clear" | "none";

type Stoppable = Pick<ReducedSession, "openEntries" | "queue" | "backgroundTasks">;

/** Whether a turn is open, or a message on its way to Claude. */
export function isInterruptible({ openEntries, queue }: Stoppable): boolean {
  return (
    openEntries.some((entry) => entry.kind === "turn" && entry.status === "running") ||
    queue.some(({ isSent }) => isSent)
  );
}

export function stopAction(state: Stoppable): StopAction {
  if (isInterruptible(state)) return "interrupt";
  return state.backgroundTasks.some(isRunning) ? "offer" : "none";
}

export function escapeAction(state: Stoppable, text: string): StopAction {
  const action = stopAction(state);
  return action !== "interrupt" && text !== "" ? "clear" : action;
}
