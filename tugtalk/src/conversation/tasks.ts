/**
 * Which subagent belongs to which tool call, and which of them run in the background: those outlive
 * the turn that started them, and so does all that they start. Known by task: a task that is moved to
 * the background or continued by a later call stays one. Protocol reference §15.
 */

import { isJsonObject } from "../base/json.ts";
import type { UserMessage } from "../messages/conversation-lines.ts";
import type { Notification } from "../messages/notifications.ts";
import { toolResults } from "../routing/tool-results.ts";

/** Tasks that are remembered: more than ever run at once. */
const REMEMBERED_TASKS = 1024;

/** Agents inside agents: deeper than any CLI goes. */
const MAX_NESTING = 16;

type Task = {
  /** The tool call that started it first. */
  readonly call: string | undefined;
  /** The task that started it. */
  readonly parentId: string | undefined;
  /** It was started in the background itself, or moved there. */
  readonly isBackground: boolean;
};

/** The tasks of one process, as far as Claude tells of them. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();
  readonly #idOfCall = new Map<string, string>();

  /** Learns from a line of news. */
  note({ kind, message }: Notification): void {
    if (kind === "system/task_started") {
      const { task_id, tool_use_id, parent_task_id, is_backgrounded } = message;
      this.#learn(task_id, tool_use_id, {
        parentId: parent_task_id,
        isBackground: is_backgrounded,
      });
    }
    if (kind === "system/task_updated" && message.patch.is_backgrounded === true) {
      this.#learn(message.task_id, undefined, { isBackground: true });
    }
  }

  /** Learns from a tool result that says that its subagent or its command goes on by itself. */
  noteResult(event: UserMessage): void {
    const taskId = idOfWhatGoesOn(event.tool_use_result);
    if (taskId === undefined) return;
    for (const { tool_use_id } of toolResults(event))
      this.#learn(taskId, tool_use_id, { isBackground: true });
  }

  /** The tool call that a subagent works for. */
  callOf(taskId: string | undefined): string | undefined {
    return taskId === undefined ? undefined : this.#tasks.get(taskId)?.call;
  }

  /** Whether what this tool call has started outlives the turn. */
  isBackground(call: string | undefined): boolean {
    return this.#outlivesTurn(this.#idOf(call), MAX_NESTING);
  }

  /** Whether the task that news is about outlives the turn. */
  isBackgroundNews(message: Notification["message"]): boolean {
    return this.#outlivesTurn(this.#idIn(message), MAX_NESTING);
  }

  /** Whether the end of the task that news is about is awaited by a tool call, and starts no turn. */
  isAwaited(message: Notification["message"]): boolean {
    const task = this.#tasks.get(this.#idIn(message) ?? "");
    if (task === undefined) return callIn(message) !== undefined;
    return !task.isBackground && (task.call ?? callIn(message)) !== undefined;
  }

  #outlivesTurn(taskId: string | undefined, depth: number): boolean {
    const task = taskId === undefined ? undefined : this.#tasks.get(taskId);
    if (task === undefined || depth === 0) return false;
    return task.isBackground || this.#outlivesTurn(task.parentId, depth - 1);
  }

  #idIn(message: Notification["message"]): string | undefined {
    const taskId = "task_id" in message ? message.task_id : undefined;
    const isKnown = typeof taskId === "string" && this.#tasks.has(taskId);
    return isKnown ? taskId : this.#idOf(callIn(message));
  }

  #idOf(call: string | undefined): string | undefined {
    return call === undefined ? undefined : this.#idOfCall.get(call);
  }

  #learn(
    taskId: string,
    call: string | undefined,
    {
      parentId,
      isBackground,
    }: { parentId?: string | undefined; isBackground?: boolean | undefined },
  ): void {
    const known = this.#tasks.get(taskId);
    this.#tasks.set(taskId, {
      call: known?.call ?? call,
      parentId: known?.parentId ?? parentId,
      isBackground: isBackground ?? known?.isBackground ?? false,
    });
    forgetOldest(this.#tasks);
    if (call === undefined) return;
    this.#idOfCall.set(call, taskId);
    forgetOldest(this.#idOfCall);
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  for (const oldest of map.keys()) {
    if (map.size <= REMEMBERED_TASKS) return;
    map.delete(oldest);
  }
}

function callIn(message: Notification["message"]): string | undefined {
  const call = "tool_use_id" in message ? message.tool_use_id : undefined;
  return typeof call === "string" ? call : undefined;
}

/** The id of the subagent or the command that goes on after this result of its call. */
function idOfWhatGoesOn(result: unknown): string | undefined {
  if (!isJsonObject(result)) return undefined;
  const { backgroundTaskId, isAsync, agentId } = result;
  const id = backgroundTaskId ?? (isAsync === true ? agentId : undefined);
  return typeof id === "string" ? id : undefined;
}
