/** Whether a background task goes on. */
import type { BackgroundTask } from "./reduced-session.ts";

/** Whether a task goes on, or has not begun: a task with an unknown status counts as one that does. */
export function isRunning({ status }: BackgroundTask): boolean {
  return !ENDED.has(status);
}

/** `abandoned` is the status that the reducer gives to what was running when Claude's process ended. */
const ENDED: ReadonlySet<string> = new Set([
  "completed",
  "failed",
  "stopped",
  "killed",
  "cancelled",
  "abandoned",
]);
