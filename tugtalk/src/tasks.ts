/**
 * Which subagent belongs to which tool call, and which of them run in the background: those outlive
 * the turn that started them. Protocol reference §15.
 */

import { isJsonObject } from "./json.ts";
import type { News } from "./news.ts";
import type { UserMessage } from "./protocol-types.ts";
import { RecentIds } from "./recent-ids.ts";
import { toolResults } from "./tool-results.ts";

/** Tasks that are remembered: more than ever run at once. */
const REMEMBERED_TASKS = 1024;

/** The tasks of one process, as far as Claude tells of them. */
export class Tasks {
  readonly #toolUseIds = new Map<string, string>();
  readonly #background = new RecentIds(REMEMBERED_TASKS);

  /** Learns from a line of news. */
  note(news: News): void {
    if (news.kind === "system/task_started") {
      const { task_id, tool_use_id, is_backgrounded } = news.message;
      if (tool_use_id === undefined) return;
      this.#remember(task_id, tool_use_id);
      if (is_backgrounded === true) this.#background.add(tool_use_id);
    }
    if (news.kind === "system/task_updated" && news.message.patch.is_backgrounded === true) {
      const toolUseId = this.toolUseOf(news.message.task_id);
      if (toolUseId !== undefined) this.#background.add(toolUseId);
    }
  }

  /** Learns from a tool result that says that its subagent or its command goes on by itself. */
  noteResult(event: UserMessage): void {
    if (!goesOn(event.tool_use_result)) return;
    for (const { tool_use_id } of toolResults(event)) this.#background.add(tool_use_id);
  }

  /** The tool call that a subagent works for. */
  toolUseOf(agentId: string | undefined): string | undefined {
    return agentId === undefined ? undefined : this.#toolUseIds.get(agentId);
  }

  /** Whether the subagent of this tool call outlives the turn. */
  isBackground(toolUseId: string | undefined): boolean {
    return toolUseId !== undefined && this.#background.has(toolUseId);
  }

  #remember(taskId: string, toolUseId: string): void {
    this.#toolUseIds.set(taskId, toolUseId);
    for (const oldest of this.#toolUseIds.keys()) {
      if (this.#toolUseIds.size <= REMEMBERED_TASKS) return;
      this.#toolUseIds.delete(oldest);
    }
  }
}

function goesOn(result: unknown): boolean {
  if (!isJsonObject(result)) return false;
  return result["isAsync"] === true || typeof result["backgroundTaskId"] === "string";
}
