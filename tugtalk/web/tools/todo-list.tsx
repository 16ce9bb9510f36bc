/** Tasks of Claude's own list. */
import { entryIn } from "../../client/claude-value.ts";
import type { TaskItem } from "../../client/reduced-session.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { IconName } from "../../host/page/icons.ts";
import { Icon } from "../elements/icon.tsx";

type TodoListProps = {
  readonly tasks: readonly TaskItem[];
  /** The names alone, with the numbers where a task waits for others. */
  readonly isShort?: boolean;
  /** Claude works on the tasks in progress; otherwise they were left. */
  readonly isLive?: boolean;
  readonly labelledBy?: string;
};

export function TodoList({ tasks, labelledBy, ...shown }: TodoListProps) {
  const isNumbered = shown.isShort !== true || tasks.some(({ blockedBy }) => blockedBy.length > 0);
  return (
    <ul class={shown.isShort === true ? "stack tight" : "stack"} aria-labelledby={labelledBy}>
      {tasks.map((task) => (
        <Todo key={task.id} task={task} isNumbered={isNumbered} {...shown} />
      ))}
    </ul>
  );
}

type TodoProps = Pick<TodoListProps, "isShort" | "isLive"> & {
  readonly task: TaskItem;
  readonly isNumbered: boolean;
};

function Todo({ task, isNumbered, isShort = false, isLive = true }: TodoProps) {
  const { id, subject, description, owner, blockedBy } = task;
  const status = !isLive && task.status === "in_progress" ? "unfinished" : task.status;
  return (
    <li class={`line todo todo-${status}`}>
      <TodoSign status={status} />
      <div class="todo-text grow">
        <span class="todo-subject" dir="auto">
          {isNumbered && <span class="muted numeric">{id} </span>}
          {showHidden(isLive ? titleOf(task) : subject)}
        </span>
        {!isShort && description !== undefined && description !== subject && (
          <p class="muted small">{showHidden(description)}</p>
        )}
        {owner !== undefined && <span class="chip">{showHidden(owner)}</span>}
        {blockedBy.length > 0 && <span class="muted small">Waits for {blockedBy.join(", ")}</span>}
      </div>
    </li>
  );
}

/** Its title while Claude is at it, and at other times. */
function titleOf({ subject, activeForm, status }: TaskItem): string {
  return (status === "in_progress" ? activeForm : undefined) ?? subject;
}

const SIGNS: Readonly<Record<string, readonly [icon: IconName, label: string]>> = {
  completed: ["check", "Done"],
  in_progress: ["play", "In progress"],
  pending: ["circle-dot", "To do"],
  unfinished: ["stop", "Not finished"],
};

function TodoSign({ status }: { readonly status: string }) {
  const [icon, label] = entryIn(SIGNS, status) ?? ["circle-dot", status];
  return <Icon name={icon} label={label} />;
}
