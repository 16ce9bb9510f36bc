/** Claude's list of tasks as a plan. Pure. */
import type { PlanEntry } from "@agentclientprotocol/sdk";
import type { TaskItem } from "../../client/reduced-session.ts";
import type { Update } from "./update-state.ts";

export function planOf(tasks: readonly TaskItem[]): Update {
  return { sessionUpdate: "plan", entries: tasks.filter(isShown).map(entryOf) };
}

function isShown({ status }: TaskItem): boolean {
  return status !== "deleted";
}

function entryOf({ subject, status }: TaskItem): PlanEntry {
  return { content: subject, priority: "medium", status: statusOf(status) };
}

function statusOf(status: string): PlanEntry["status"] {
  return status === "in_progress" || status === "completed" ? status : "pending";
}
