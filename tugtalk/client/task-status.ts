/** Whether a background task goes on. */
import type { BackgroundTask } from "./reduced-session.ts";

/** Whether a task goes on, or has not begun. A task with an unknown status counts as running. */
export function isRunning({ status }: BackgroundTask): boolean {
  return !ENDED.has(status);
}

/** The reducer gives the status `abandoned` to tasks that were running when Claude's process ended. */
const ENDED: ReadonlySet<string> = new Set([
  "completed",
  "failed",
  "stopped",
  "killed",
  "cancelled",
  "abandoned",
]);
