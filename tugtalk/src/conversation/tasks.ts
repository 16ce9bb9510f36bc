/**
 * Which task belongs to which tool call, and which run in the background: those outlive the turn that
 * started them, as do all tasks that they start. Keyed by task, because a task can be moved to the
 * background, or continued by a later call. Protocol reference §15.
 */

import { BoundedMap, BoundedSet } from "../base/bounded-map.ts";
import { isJsonObject } from "../base/json.ts";
import type { UserMessage } from "../messages/conversation-lines.ts";
import type { Notification } from "../messages/notifications.ts";
import type { ParentToolUseId } from "../routing/parent-tool-use-id.ts";
import { toolResults } from "../routing/tool-results.ts";
import type { ToolCalls } from "./tool-calls.ts";

/** Tasks that are kept: far fewer run at once. */
const KEPT_TASKS = 1024;

/** Agents inside agents: deeper than any CLI goes. */
const MAX_NESTING = 16;

type Task = {
  /** The tool call that started it first. */
  readonly call: string | undefined;
  /** The task that started it, where it is named. */
  readonly parentId: string | undefined;
  /** It was started in the background itself, or moved there. */
  readonly isBackground: boolean;
};

/** The tasks of one process that Claude has reported. */
export class Tasks {
  readonly #tasks = new BoundedMap<string, Task>(KEPT_TASKS);
  readonly #idOfCall = new BoundedMap<string, string>(KEPT_TASKS);
  readonly #workingAgents = new BoundedSet<string>(KEPT_TASKS);
  readonly #calls: ToolCalls;

  constructor(calls: ToolCalls) {
    this.#calls = calls;
  }

  record({ kind, message }: Notification): void {
    if (kind === "system/task_started") {
      const { task_id, tool_use_id, parent_task_id, is_backgrounded } = message;
      this.#learn(task_id, tool_use_id, is_backgrounded, parent_task_id);
      if (message.task_type !== "local_bash") this.#workingAgents.add(task_id);
    }
    if (kind === "system/task_notification") this.#workingAgents.delete(message.task_id);
    if (kind === "system/task_updated" && message.patch.is_backgrounded === true)
      this.#learn(message.task_id, undefined, true);
  }

  /** Learns from a tool result that its subagent or its command continues in the background. */
  recordResult(event: UserMessage): void {
    const taskId = continuingTaskId(event.tool_use_result);
    if (taskId === undefined) return;
    for (const { tool_use_id } of toolResults(event)) this.#learn(taskId, tool_use_id, true);
  }

  /** The tool call that a subagent works for. */
  callOf(taskId: string | undefined): string | undefined {
    return taskId === undefined ? undefined : this.#tasks.get(taskId)?.call;
  }

  /** Whether a task has run in the background, even if it has ended. */
  get hasBackground(): boolean {
    return this.#tasks.values().some(({ isBackground }) => isBackground);
  }

  /** Whether the task that this tool call has started outlives the turn. */
  isBackground(call: string | undefined): boolean {
    return call !== undefined && this.#outlivesTurn(this.#idOfCall.get(call), MAX_NESTING);
  }

  /**
   * The tool call whose subagent a notification comes from. It names the subagent, or else comes from the
   * caller of its tool. A notification about a task names the task, but comes from the task's caller.
   */
  originOf({ kind, message }: Notification): ParentToolUseId {
    const taskId = kind === "tool_progress" ? message.task_id : undefined;
    const named = this.callOf(textIn(message, "agent_id") ?? taskId ?? undefined);
    const call = textIn(message, "tool_use_id");
    return named !== undefined && named !== call ? named : this.#calls.get(call)?.parentToolUseId;
  }

  /** Whether the task of a notification outlives the turn. */
  isBackgroundNotification(message: Notification["message"]): boolean {
    return this.#outlivesTurn(this.#idIn(message), MAX_NESTING);
  }

  /** Whether a tool call awaits the task of a notification. If so, the end of the task starts no turn. */
  isAwaited(message: Notification["message"]): boolean {
    const task = this.#tasks.get(this.#idIn(message) ?? "");
    return (
      task?.isBackground !== true && (task?.call ?? textIn(message, "tool_use_id")) !== undefined
    );
  }

  /** The ids of the agents inside agents that have not ended. */
  get nestedAgents(): readonly string[] {
    return [...this.#workingAgents].filter((id) => this.#parentOf(id) !== undefined);
  }

  /** 2.1.197 does not name the parent: it is the task whose agent made the call, which can come later. */
  #parentOf(taskId = ""): string | undefined {
    const task = this.#tasks.get(taskId);
    const caller = this.#calls.get(task?.call)?.parentToolUseId;
    return task?.parentId ?? this.#idOfCall.get(caller ?? "");
  }

  #outlivesTurn(taskId: string | undefined, depth: number): boolean {
    const task = this.#tasks.get(taskId ?? "");
    if (task === undefined || depth === 0) return false;
    return task.isBackground || this.#outlivesTurn(this.#parentOf(taskId), depth - 1);
  }

  #idIn(message: Notification["message"]): string | undefined {
    const taskId = textIn(message, "agent_id") ?? textIn(message, "task_id") ?? "";
    return this.#tasks.has(taskId)
      ? taskId
      : this.#idOfCall.get(textIn(message, "tool_use_id") ?? "");
  }

  #learn(taskId: string, call?: string, isBackground?: boolean, parentId?: string): void {
    const known = this.#tasks.get(taskId);
    this.#tasks.set(taskId, {
      call: known?.call ?? call,
      parentId: known?.parentId ?? parentId,
      isBackground: isBackground ?? known?.isBackground ?? false,
    });
    if (call !== undefined) this.#idOfCall.set(call, taskId);
  }
}

function textIn(message: Notification["message"], field: string): string | undefined {
  const value = message[field];
  return typeof value === "string" ? value : undefined;
}

/** The id of the subagent or the command that continues after this result of its call. */
function continuingTaskId(result: unknown): string | undefined {
  if (!isJsonObject(result)) return undefined;
  const { backgroundTaskId, isAsync, agentId } = result;
  const id = backgroundTaskId ?? (isAsync === true ? agentId : undefined);
  return typeof id === "string" ? id : undefined;
}
