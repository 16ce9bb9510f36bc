/** One line above the composer: how far Claude is with its tasks, and how much runs in the background. */

import { isRunning } from "../../client/task-status.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import { taskSummary } from "./task-order.ts";

export function TaskLine({ session }: { readonly session: SessionStore }) {
  const { dialog } = useApp();
  const running = session.backgroundTasks.value.filter(isRunning).length;
  const summary = taskSummary(session.taskList.value.tasks, running);
  if (summary === undefined) return null;
  return (
    <button
      type="button"
      class="task-line quiet small"
      title="Tasks"
      onClick={() => {
        dialog.value = "tasks";
      }}
    >
      <Icon name="tasks" />
      <span class="truncate">{showHidden(summary)}</span>
    </button>
  );
}
