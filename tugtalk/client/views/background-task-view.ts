/** The tasks that run beside the conversation. Pure. */
import type { BackgroundTaskView } from "../../src/messages/entry-models.ts";
import { defined } from "../claude-value.ts";
import type { BackgroundTask, ReducedSession } from "../reduced-session.ts";

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "killed", "stopped"]);

/** Every task that is known, in the order of their starts. */
export function viewBackgroundTasks({
  backgroundTasks,
}: Pick<ReducedSession, "backgroundTasks">): readonly BackgroundTaskView[] {
  return backgroundTasks.map(viewTask);
}

function viewTask(task: BackgroundTask): BackgroundTaskView {
  const { taskId, toolUseId, description, subagentType, status, isBackgrounded } = task;
  const { lastToolName, summary, totalTokens, toolUses, durationMs } = task;
  const isRunning = !ENDED.has(status);
  return {
    taskId,
    kind: kindOf(task.type),
    title: description ?? subagentType ?? taskId,
    status,
    isRunning,
    ...defined({
      toolUseId,
      isBackgrounded,
      detail: isRunning ? (lastToolName ?? summary) : summary,
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
