/** The task that a tool call has started and that may go on after it. */
import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { entryIn } from "../../client/claude-value.ts";
import type { BackgroundTaskView, ToolCallView } from "../../client/entry-models.ts";
import { viewBackgroundTasks } from "../../client/views/background-task-view.ts";
import { useApp } from "../store/app.ts";
import { StopButton } from "./background-task-row.tsx";

/** A task of the session that is shown. */
export function useTask(taskId: string | undefined): BackgroundTaskView | undefined {
  const { session } = useApp();
  // For each id its own: a call is drawn before its task has begun, when it has none.
  const task = useMemo(
    () => computed(() => session.value?.backgroundTasks.value.find((one) => one.taskId === taskId)),
    [session, taskId],
  );
  const [view] = viewBackgroundTasks({
    backgroundTasks: task.value === undefined ? [] : [task.value],
  });
  return view;
}

const ENDS: Readonly<Record<string, ToolCallView["status"]>> = {
  failed: "failed",
  stopped: "abandoned",
  killed: "abandoned",
  cancelled: "abandoned",
  abandoned: "abandoned",
};

/** How far a call is with its task: the call of one in the background is done when the task has begun. */
export function statusWith(
  { status }: ToolCallView,
  task: BackgroundTaskView | undefined,
): ToolCallView["status"] {
  if (status !== "done" || task === undefined || task.isBackgrounded === false) return status;
  return task.isRunning ? "running" : (entryIn(ENDS, task.status) ?? "done");
}

export function RunningTask({ task }: { readonly task: BackgroundTaskView }) {
  const session = useApp().session.value;
  if (session === undefined || !task.isRunning) return null;
  return (
    <p class="row">
      <StopButton session={session} task={task} />
    </p>
  );
}
