/** The tasks that run beside the conversation. Pure. */
import type { BackgroundTaskView } from "../../src/messages/entry-models.ts";
import { defined } from "../claude-value.ts";
import type { BackgroundTask, ReducedSession } from "../reduced-session.ts";
import { isRunning } from "../task-status.ts";

/** Every task that is known, in the order of their starts. */
export function viewBackgroundTasks({
  backgroundTasks,
}: Pick<ReducedSession, "backgroundTasks">): readonly BackgroundTaskView[] {
  return backgroundTasks.map(viewTask);
}

function viewTask(task: BackgroundTask): BackgroundTaskView {
  const { taskId, toolUseId, description, subagentType, status, isBackgrounded } = task;
  const { lastToolName, summary, totalTokens, toolUses, durationMs } = task;
  const goesOn = isRunning(task);
  return {
    taskId,
    kind: kindOf(task.type),
    title: description ?? subagentType ?? taskId,
    status,
    isRunning: goesOn,
    ...defined({
      toolUseId,
      isBackgrounded,
      detail: goesOn ? (lastToolName ?? summary) : summary,
      totalTokens,
      toolUses,
      durationMs,
    }),
  };
}

function kindOf(type: string | undefined): BackgroundTaskView["kind"] {
  if (type === "local_agent" || type === "remote_agent") return "agent";
  return type === "local_bash" ? "shell" : "other";
}
