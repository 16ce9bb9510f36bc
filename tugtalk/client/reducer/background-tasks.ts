/** Subagents, background shells and MCP tasks. */
import { type Fields, filledText, isFields, numberOf, present, textOf } from "../claude-value.ts";
import type { BackgroundTask, ReducedSession } from "../reduced-session.ts";
import { isRunning } from "../task-status.ts";
import { withEndedAgent } from "./endings.ts";
import { handler } from "./handler.ts";
import { kept, replaced } from "./lists.ts";
import { flag, nullish, object, objects, optional, text } from "./message-fields.ts";
import { addNotice } from "./notices.ts";
import { changeTool } from "./tools.ts";
import { findItem, itemAt } from "./transcript.ts";

/** How many tasks that have ended are kept. */
const MAX_ENDED = 20;

type TaskChange = Partial<BackgroundTask> & Pick<BackgroundTask, "taskId">;

/** Adds a task, or changes fields of it. */
function withTask(state: ReducedSession, change: TaskChange): ReducedSession {
  const index = state.backgroundTasks.findIndex(({ taskId }) => taskId === change.taskId);
  const known = state.backgroundTasks[index] ?? { taskId: change.taskId, status: "running" };
  const task: BackgroundTask = { ...known, ...change };
  const backgroundTasks =
    index === -1 ? [...state.backgroundTasks, task] : replaced(state.backgroundTasks, index, task);
  const changed = { ...state, backgroundTasks: withoutOldest(backgroundTasks) };
  const { toolUseId } = task;
  if (toolUseId === undefined || isRunning(task)) return changed;
  return withEndedAgent(changed, toolUseId);
}

function withoutOldest(tasks: readonly BackgroundTask[]): readonly BackgroundTask[] {
  const ended = tasks.filter((task) => !isRunning(task));
  const oldest = new Set(ended.slice(0, Math.max(ended.length - MAX_ENDED, 0)));
  return kept(tasks, (task) => !oldest.has(task));
}

/** The changes to a task by its notification. */
function changeOf(taskId: string, fields: Fields): TaskChange {
  const usage = isFields(fields["usage"]) ? fields["usage"] : {};
  const isBackgrounded = fields["is_backgrounded"];
  return {
    taskId,
    ...present({
      toolUseId: textOf(fields["tool_use_id"]),
      parentTaskId: textOf(fields["parent_task_id"]),
      type: textOf(fields["task_type"]),
      subagentType: textOf(fields["subagent_type"]),
      description: textOf(fields["description"]),
      status: textOf(fields["status"]),
      isBackgrounded: typeof isBackgrounded === "boolean" ? isBackgrounded : undefined,
      lastToolName: textOf(fields["last_tool_name"]),
      summary: textOf(fields["summary"]),
      totalTokens: numberOf(usage["total_tokens"]),
      toolUses: numberOf(usage["tool_uses"]),
      durationMs: numberOf(usage["duration_ms"]),
    }),
  };
}

const TASK = { task_id: text, tool_use_id: optional(text) };

export const TASK_HANDLERS = [
  handler("task_started", TASK, (state, message) => {
    const { task_id: taskId, tool_use_id: toolUseId } = message;
    const started = withTask(state, changeOf(taskId, message));
    if (toolUseId === undefined) return started;
    return changeTool(started, toolUseId, {}, (tool) => ({ ...tool, taskId }));
  }),
  handler("task_progress", TASK, (state, message) =>
    withTask(state, changeOf(message.task_id, message)),
  ),
  handler("task_updated", { ...TASK, patch: object }, (state, message) =>
    withTask(state, changeOf(message.task_id, message.patch)),
  ),
  // The message lists all tasks in the background.
  handler("background_tasks", { tasks: objects }, (state, { tasks }) =>
    tasks.reduce<ReducedSession>((changed, task) => {
      const taskId: unknown = task.task_id;
      if (typeof taskId !== "string") return changed;
      return withTask(changed, { ...changeOf(taskId, task), isBackgrounded: true });
    }, state),
  ),
  handler(
    "task_notification",
    {
      ...TASK,
      status: text,
      summary: nullish(text),
      skip_transcript: nullish(flag),
      ambient: nullish(flag),
    },
    (state, message) => {
      const { task_id: taskId, tool_use_id: toolUseId, status, summary } = message;
      const isShown =
        message.skip_transcript !== true &&
        message.ambient !== true &&
        outlivesCall(state, taskId, toolUseId);
      const ended = withTask(state, changeOf(taskId, message));
      if (!isShown) return ended;
      const title = titleOf(ended, taskId, toolUseId);
      return addNotice(ended, message, {
        kind: "task",
        taskId,
        status,
        ...present({ title, summary }),
      });
    },
  ),
] as const;

/** Whether a task goes on beside the conversation: the turn waits for one in the foreground. */
export function runsBeside(state: ReducedSession, task: BackgroundTask): boolean {
  return isRunning(task) && outlivesCall(state, task.taskId, task.toolUseId);
}

/** The purpose of a task: its progress changes its own description. */
function titleOf(state: ReducedSession, taskId: string, toolUseId?: string): string | undefined {
  const position = toolUseId === undefined ? undefined : findItem(state, toolUseId);
  const call = position === undefined ? undefined : itemAt(state, position);
  const title = call?.kind === "tool" ? filledText(call.input?.["description"]) : undefined;
  return title ?? state.backgroundTasks.find((task) => task.taskId === taskId)?.description;
}

/** A task in the foreground ends with the result of its call, which the page shows anyway. */
function outlivesCall(state: ReducedSession, taskId: string, toolUseId?: string): boolean {
  const task = state.backgroundTasks.find((other) => other.taskId === taskId);
  if (task?.isBackgrounded !== undefined) return task.isBackgrounded;
  const position = toolUseId === undefined ? undefined : findItem(state, toolUseId);
  const call = position === undefined ? undefined : itemAt(state, position);
  return call?.kind !== "tool" || call.result !== undefined;
}
