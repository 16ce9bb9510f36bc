/** Claude's own list of tasks, and its tasks in the background. */
import { runsBeside } from "../../client/reducer/background-tasks.ts";
import { isRunning } from "../../client/task-status.ts";
import { viewBackgroundTasks } from "../../client/views/background-task-view.ts";
import { BackgroundTaskRow } from "../tools/background-task-row.tsx";
import { TodoList } from "../tools/todo-list.tsx";
import { Panel, Section, type SessionPanelProps } from "./panel.tsx";
import { inOrder } from "./task-order.ts";

export function TaskList({ session }: SessionPanelProps) {
  return (
    <Panel title="Tasks">
      <Todos session={session} />
      <BackgroundTasks session={session} />
    </Panel>
  );
}

function Todos({ session }: SessionPanelProps) {
  const { tasks } = session.taskList.value;
  return (
    <Section title="Claude's list">
      {tasks.length === 0 && <p class="muted">Claude keeps no list of tasks.</p>}
      <TodoList tasks={inOrder(tasks)} />
    </Section>
  );
}

function BackgroundTasks({ session }: SessionPanelProps) {
  const state = session.state.value;
  const backgroundTasks = state.backgroundTasks.filter((task) =>
    isRunning(task) ? runsBeside(state, task) : task.isBackgrounded !== false,
  );
  const shown = viewBackgroundTasks({ backgroundTasks });
  const running = shown.filter((task) => task.isRunning);
  const ended = shown.filter((task) => !task.isRunning);
  return (
    <Section title="In the background">
      {shown.length === 0 && <p class="muted">Nothing runs in the background.</p>}
      <ul class="list">
        {[...running, ...ended].map((task) => (
          <BackgroundTaskRow key={task.taskId} session={session} task={task} />
        ))}
      </ul>
    </Section>
  );
}
