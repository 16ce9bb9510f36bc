/** The tasks that run beside the conversation. Pure. */

import { present } from "../claude-value.ts";
import type { BackgroundTaskView } from "../entry-models.ts";
import type { BackgroundTask, ReducedSession } from "../reduced-session.ts";
import { isRunning } from "../task-status.ts";
import { showHidden } from "./visible-text.ts";

/** Every task that is known, in the order of their starts. */
export function viewBackgroundTasks({
  backgroundTasks,
}: Pick<ReducedSession, "backgroundTasks">): readonly BackgroundTaskView[] {
  return backgroundTasks.map(viewTask);
}

function viewTask(task: BackgroundTask): BackgroundTaskView {
  const { type, description, subagentType, parentTaskId: _parent, ...rest } = task;
  const { lastToolName, summary, ...shown } = rest;
  const goesOn = isRunning(task);
  const detail = goesOn ? (lastToolName ?? summary) : summary;
  return {
    ...shown,
    kind: kindOf(type),
    title: showHidden(description ?? subagentType ?? task.taskId),
    isRunning: goesOn,
    ...present({ detail: detail && showHidden(detail) }),
  };
}

function kindOf(type: string | undefined): BackgroundTaskView["kind"] {
  if (type === "local_agent" || type === "remote_agent") return "agent";
  return type === "local_bash" ? "shell" : "other";
}
