/** The tasks of a session in a line. */
import { useComputed } from "@preact/signals";
import { runsBeside } from "../../client/reducer/background-tasks.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Icon } from "../elements/icon.tsx";
import { taskSummary } from "../panels/task-order.ts";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import { isInterruptible } from "../store/stop-action.ts";

/** How far Claude is with its tasks, and how much runs in the background. */
export function TaskButton({ session }: { readonly session: SessionStore }) {
  const { open } = useApp();
  const running = useComputed(() => {
    const state = session.state.value;
    return state.backgroundTasks.filter((task) => runsBeside(state, task)).length;
  }).value;
  const isAtWork = useComputed(() => isInterruptible(session.state.value)).value;
  const summary = taskSummary(session.taskList.value.tasks, running, isAtWork);
  if (summary === undefined) return null;
  return (
    <button type="button" class="task-line quiet small" title="Tasks" onClick={() => open("tasks")}>
      <Icon name="tasks" />
      <span class="truncate">{showHidden(summary)}</span>
    </button>
  );
}
