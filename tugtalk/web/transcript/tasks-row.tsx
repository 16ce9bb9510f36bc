/** Claude's list of tasks in a turn, after the latest call that has changed it. */
import { useComputed } from "@preact/signals";
import { allItems } from "../../client/agent-items.ts";
import { Icon } from "../elements/icon.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { TodoList } from "../tools/todo-list.tsx";
import { checklistOf } from "./checklist.ts";
import type { Group } from "./rows.ts";

type TasksRowProps = { readonly session: SessionStore; readonly tasks: Group };

export function TasksRow({ session, tasks: { key, calls } }: TasksRowProps) {
  const isLive = useComputed(() =>
    session.openEntries.value.some(
      (entry) =>
        entry.kind === "turn" &&
        entry.status === "running" &&
        allItems(entry).some((item) => item.key === calls[0]?.key),
    ),
  ).value;
  const tasks = checklistOf(calls, session.taskList.value.tasks);
  if (tasks.length === 0) return null;
  const done = tasks.filter(({ status }) => status === "completed").length;
  return (
    <div class="checklist card small" data-item={calls.map((call) => call.key).join(" ")}>
      <p class="line" id={key}>
        <span class="muted">
          <Icon name="tasks" />
        </span>
        <span class="strong">Tasks</span>
        <span class="muted numeric">
          {done} of {tasks.length}
        </span>
      </p>
      <TodoList tasks={tasks} isShort isLive={isLive} labelledBy={key} />
    </div>
  );
}
