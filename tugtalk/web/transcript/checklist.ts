/** The calls of a turn that keep Claude's list of tasks, as the list that they make. Pure. */
import { type Fields, isFields, textOf } from "../../client/claude-value.ts";
import type { TaskItem } from "../../client/reduced-session.ts";
import { tasksAfter } from "../../client/reducer/task-list.ts";
import type { ToolItem } from "../../client/transcript-models.ts";

type Tasks = readonly TaskItem[];

/** `known` are all tasks of the session: they have the names of tasks that an earlier turn has made. */
export function checklistOf(calls: readonly ToolItem[], known: Tasks): Tasks {
  return calls.reduce<Tasks>((tasks, call) => {
    const result = resultOf(call);
    return result === undefined ? tasks : tasksAfter(withNamed(tasks, call, known), call, result);
  }, []);
}

/** The calls of agents have no structured results, and a list that is written as a whole needs none. */
function resultOf({ name, input, structured, result }: ToolItem): Fields | undefined {
  if (isFields(structured)) return structured;
  if (name === "TodoWrite") return {};
  if (result === undefined) return undefined;
  const [, id] = /#(\w+)/.exec(result.output) ?? [];
  return name === "TaskCreate" ? { task: { id, subject: input?.["subject"] } } : { success: true };
}

/** With the task that an update is of, if another turn has made it. */
function withNamed(tasks: Tasks, { name, input = {} }: ToolItem, known: Tasks): Tasks {
  const id = textOf(input["taskId"]);
  if (name !== "TaskUpdate" || id === undefined || tasks.some((task) => task.id === id))
    return tasks;
  const subject = known.find((task) => task.id === id)?.subject ?? `Task ${id}`;
  return [...tasks, { id, subject, status: "pending", blockedBy: [] }];
}
