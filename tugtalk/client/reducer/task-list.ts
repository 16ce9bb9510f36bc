/**
 * Claude's own list of tasks, from the tools that keep it (§20): TaskCreate, TaskUpdate, TaskList and
 * TaskGet, or TodoWrite on older versions. The calls of subagents have no structured results.
 */

import { entryIn, type Fields, isFields, present, textOf, textsOf } from "../claude-value.ts";
import type { ReducedSession, TaskItem, TaskListData } from "../reduced-session.ts";
import type { ToolItem } from "../transcript-models.ts";

type Tasks = readonly TaskItem[];

/** The state after a tool call of the list has its result. */
export function withTaskTool(
  state: ReducedSession,
  tool: ToolItem,
  result: unknown,
): ReducedSession {
  const { tasks } = state.taskList;
  const changed = tasksAfter(tasks, tool, result);
  return changed === tasks ? state : { ...state, taskList: taskListOf(changed) };
}

/** The tasks after one call; the same ones if it changes none. */
export function tasksAfter(
  tasks: Tasks,
  { name = "", input = {} }: Pick<ToolItem, "name" | "input">,
  result: unknown,
): Tasks {
  const change = entryIn(TASK_TOOLS, name);
  // A failed call has a text for a result.
  return change === undefined || !isFields(result) ? tasks : change(tasks, input, result);
}

function taskListOf(tasks: Tasks): TaskListData {
  const activeTaskId = tasks.find(({ status }) => status === "in_progress")?.id;
  return { tasks, ...present({ activeTaskId }) };
}

type Change = (tasks: Tasks, input: Fields, result: Fields) => Tasks;

const TASK_TOOLS: Readonly<Record<string, Change>> = {
  TaskCreate: (tasks, input, result) => withTask(tasks, { ...input, ...fieldsIn(result, "task") }),
  TaskGet: (tasks, _input, result) => withTask(tasks, fieldsIn(result, "task")),
  TaskList: (tasks, _input, result) => {
    if (!Array.isArray(result["tasks"])) return tasks;
    const listed = result["tasks"].filter(isFields);
    const ids = listed.map((task) => task["id"]);
    return listed.reduce(
      withTask,
      tasks.filter(({ id }) => ids.includes(id)),
    );
  },
  TaskUpdate: updateTask,
  TodoWrite: (tasks, input, result) => {
    const todos = result["newTodos"] ?? input["todos"];
    if (!Array.isArray(todos)) return tasks;
    return todos.filter(isFields).map((todo, index) => ({
      id: String(index + 1),
      subject: textOf(todo["content"]) ?? "",
      status: textOf(todo["status"]) ?? "pending",
      blockedBy: [],
      ...present({ activeForm: textOf(todo["activeForm"]) }),
    }));
  },
};

/** Adds a task, or replaces the fields that are named. */
function withTask(tasks: Tasks, fields: Fields): Tasks {
  const id = textOf(fields["id"]);
  if (id === undefined) return tasks;
  const known = tasks.find((task) => task.id === id);
  const base = known ?? { id, subject: "", status: "pending", blockedBy: [] };
  const task = { ...base, ...namedFields(fields) };
  return known === undefined
    ? [...tasks, task]
    : tasks.map((other) => (other === known ? task : other));
}

function namedFields(fields: Fields): Partial<TaskItem> {
  const [subject, description, activeForm, status, owner] = [
    "subject",
    "description",
    "activeForm",
    "status",
    "owner",
  ].map((name) => textOf(fields[name]));
  const blockedBy = Array.isArray(fields["blockedBy"]) ? textsOf(fields["blockedBy"]) : undefined;
  return present({ subject, description, activeForm, status, owner, blockedBy });
}

function updateTask(tasks: Tasks, input: Fields, result: Fields): Tasks {
  const id = textOf(input["taskId"]);
  if (id === undefined || result["success"] !== true) return tasks;
  if (input["status"] === "deleted") return withoutTask(tasks, id);
  const blocks = textsOf(input["addBlocks"]);
  const updated = tasks.some((task) => task.id === id) ? withTask(tasks, { ...input, id }) : tasks;
  return updated.map((task) => {
    const added = [
      ...(task.id === id ? textsOf(input["addBlockedBy"]) : []),
      ...(blocks.includes(task.id) ? [id] : []),
    ];
    return added.length === 0 ? task : { ...task, blockedBy: union(task.blockedBy, added) };
  });
}

function withoutTask(tasks: Tasks, id: string): Tasks {
  return tasks
    .filter((task) => task.id !== id)
    .map((task) =>
      task.blockedBy.includes(id)
        ? { ...task, blockedBy: task.blockedBy.filter((other) => other !== id) }
        : task,
    );
}

function union(some: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...some, ...more])];
}

function fieldsIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isFields(value) ? value : {};
}
