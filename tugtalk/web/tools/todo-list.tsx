/** Tasks of Claude's own list. */
import { entryIn } from "../../client/claude-value.ts";
import type { TaskItem } from "../../client/reduced-session.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { IconName } from "../../host/page/icons.ts";
import { Icon } from "../elements/icon.tsx";

type TodoListProps = { readonly tasks: readonly TaskItem[] };

export function TodoList({ tasks }: TodoListProps) {
  return (
    <ul class="stack">
      {tasks.map((task) => (
        <Todo key={task.id} task={task} />
      ))}
    </ul>
  );
}

function Todo({ task }: { readonly task: TaskItem }) {
  const { id, subject, description, status, owner, blockedBy } = task;
  return (
    <li class={`line todo todo-${status}`}>
      <TodoSign status={status} />
      <div class="todo-text grow">
        <span class="todo-subject">
          <span class="muted numeric">{id}</span> {showHidden(titleOf(task))}
        </span>
        {description !== undefined && description !== subject && (
          <p class="muted small">{showHidden(description)}</p>
        )}
        {owner !== undefined && <span class="chip">{showHidden(owner)}</span>}
        {blockedBy.length > 0 && <span class="muted small">Waits for {blockedBy.join(", ")}</span>}
      </div>
    </li>
  );
}

/** What it is called while Claude is at it, and at other times. */
function titleOf({ subject, activeForm, status }: TaskItem): string {
  return (status === "in_progress" ? activeForm : undefined) ?? subject;
}

const SIGNS: Readonly<Record<string, readonly [icon: IconName, label: string]>> = {
  completed: ["check", "Done"],
  in_progress: ["play", "In progress"],
  pending: ["circle-dot", "To do"],
};

function TodoSign({ status }: { readonly status: string }) {
  const [icon, label] = entryIn(SIGNS, status) ?? ["circle-dot", status];
  return <Icon name={icon} label={label} />;
}
