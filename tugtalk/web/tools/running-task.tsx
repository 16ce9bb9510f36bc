/** The task that a tool call has started and that goes on after it, while it runs. */
import { useComputed } from "@preact/signals";
import type { BackgroundTaskView } from "../../client/entry-models.ts";
import { viewBackgroundTasks } from "../../client/views/background-task-view.ts";
import { useApp } from "../store/app.ts";
import { BackgroundTaskRow } from "./background-task-row.tsx";
import { ToolState } from "./tool-state.tsx";

type TaskProps = { readonly taskId: string };

/** The state of a call that is done itself. */
export function TaskState({ taskId }: TaskProps) {
  const task = useRunningTask(taskId);
  if (task === undefined || task.isBackgrounded === false) return <ToolState status="done" />;
  return <ToolState status="running" text="In the background" />;
}

export function RunningTask({ taskId }: TaskProps) {
  const task = useRunningTask(taskId);
  const session = useApp().session.value;
  if (task === undefined || session === undefined) return null;
  return (
    <ul class="stack">
      <BackgroundTaskRow session={session} task={task} />
    </ul>
  );
}

/** Tasks of the session that is shown. */
function useRunningTask(taskId: string): BackgroundTaskView | undefined {
  const { session } = useApp();
  const task = useComputed(() =>
    session.value?.backgroundTasks.value.find((one) => one.taskId === taskId),
  );
  const [view] = viewBackgroundTasks({
    backgroundTasks: task.value === undefined ? [] : [task.value],
  });
  return view?.isRunning === true ? view : undefined;
}
