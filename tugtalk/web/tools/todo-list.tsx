/** Tasks of Claude's own list. */
import { showHidden } from "../../client/views/visible-text.ts";
import type { TaskItem } from "../../src/web-components.ts";
import { Icon } from "../elements/icon.tsx";

export type TodoListProps = { readonly tasks: readonly TaskItem[] };

export function TodoList({ tasks }: TodoListProps) {
  return (
    <ul class="todo-list">
      {tasks.map((task) => (
        <Todo key={task.id} task={task} />
      ))}
    </ul>
  );
}

function Todo({ task }: { readonly task: TaskItem }) {
  const { id, subject, description, status, owner, blockedBy } = task;
  return (
    <li class={`todo todo-${status}`}>
      <TodoSign status={status} />
      <div class="todo-text">
        <span class="todo-subject">
          <span class="muted numeric">{id}</span> {showHidden(titleOf(task))}
        </span>
        {description !== undefined && description !== subject && (
          <p class="muted small">{description}</p>
        )}
        {owner !== undefined && <span class="chip">{owner}</span>}
        {blockedBy.length > 0 && <span class="muted small">Waits for {blockedBy.join(", ")}</span>}
      </div>
    </li>
  );
}

/** What it is called while Claude is at it, and at other times. */
export function titleOf({ subject, activeForm, status }: TaskItem): string {
  return (status === "in_progress" ? activeForm : undefined) ?? subject;
}

function TodoSign({ status }: { readonly status: string }) {
  switch (status) {
    case "completed":
      return <Icon name="check" label="Done" />;
    case "in_progress":
      return <Icon name="play" label="In progress" />;
    case "pending":
      return <Icon name="circle-dot" label="To do" />;
    default:
      return <Icon name="circle-dot" label={status} />;
  }
}
