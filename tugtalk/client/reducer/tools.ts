/** Tool calls: their input, their progress and their results. */

import { present } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { BlockItem, ToolItem, ToolStatus, TranscriptItem } from "../transcript-models.ts";
import { handler, type Scope } from "./handler.ts";
import { replaced } from "./lists.ts";
import {
  anything,
  flag,
  nullish,
  number,
  object,
  objects,
  optional,
  text,
} from "./message-fields.ts";
import { addNotice } from "./notices.ts";
import { withoutRetry } from "./retry-notices.ts";
import { withTaskTool } from "./task-list.ts";
import {
  append,
  changeItem,
  changeList,
  findItem,
  indexOfKey,
  itemAt,
  listFor,
} from "./transcript.ts";

/** Changes a tool call, wherever it is. */
export function changeTool(
  state: ReducedSession,
  toolUseId: string,
  scope: Scope,
  change: (tool: ToolItem) => ToolItem,
): ReducedSession {
  const found = findItem(state, toolUseId, scope);
  if (found === undefined) return state;
  return changeItem(state, found, (item) => (item.kind === "tool" ? change(item) : item));
}

export const TOOL_HANDLERS = [
  handler(
    "tool_use",
    {
      msg_id: text,
      block_index: number,
      tool_use_id: text,
      tool_name: text,
      status: text,
      input: optional(object),
    },
    (state, message) => {
      const { msg_id: msgId, block_index: blockIndex, tool_use_id: toolUseId, input } = message;
      const [opened, position] = listFor(state, message);
      return changeList(opened, position, (list) => {
        const items = withoutRetry(list);
        const index = indexOfKey(items, toolUseId);
        const known = items[index];
        const status = statusOfCall(state, toolUseId, message.status);
        const call = { msgId, blockIndex, name: message.tool_name, status, ...present({ input }) };
        if (known === undefined)
          return [...items, { kind: "tool", key: toolUseId, toolUseId, ...call }];
        return known.kind === "tool" ? replaced(items, index, withCall(known, call)) : items;
      });
    },
  ),
  handler("tool_input_delta", { tool_use_id: text, partial_json: text }, (state, message) =>
    changeTool(state, message.tool_use_id, message, (tool) => {
      if (tool.status !== "streaming") return tool;
      return { ...tool, partialInput: (tool.partialInput ?? "") + message.partial_json };
    }),
  ),
  handler(
    "tool_result",
    {
      tool_use_id: text,
      tool_name: optional(text),
      output: text,
      is_error: flag,
      content: optional(objects),
    },
    (state, message) => {
      const {
        tool_use_id: toolUseId,
        tool_name: name,
        output,
        is_error: isError,
        content,
      } = message;
      const known = withTool(state, toolUseId, message);
      return changeTool(known, toolUseId, message, (tool) => ({
        ...tool,
        ...(tool.name === undefined && present({ name })),
        status: statusOfResult(tool.status, isError),
        result: { output, isError, ...present({ content }) },
      }));
    },
  ),
  handler(
    "tool_use_structured",
    { tool_use_id: text, structured_result: anything },
    (state, message) => {
      const { tool_use_id, structured_result: structured } = message;
      const found = findItem(state, tool_use_id, message);
      const tool: TranscriptItem | undefined = found && itemAt(state, found);
      if (found === undefined || tool?.kind !== "tool" || structured === undefined) return state;
      const shown = changeItem(state, found, () => ({ ...tool, structured }));
      return withTaskTool(shown, tool, structured);
    },
  ),
  handler(
    "tool_progress",
    { tool_use_id: text, elapsed_time_seconds: number, task_id: nullish(text) },
    (state, message) => {
      const { elapsed_time_seconds: elapsedSeconds, task_id: taskId } = message;
      return changeTool(state, message.tool_use_id, message, (tool) => ({
        ...tool,
        elapsedSeconds,
        ...present({ taskId }),
      }));
    },
  ),
  handler(
    "permission_denied",
    { tool_use_id: text, tool_name: text, message: text },
    (state, message) => {
      const { tool_use_id: toolUseId, tool_name: toolName, message: said } = message;
      const denied = changeTool(state, toolUseId, message, (tool) => ({
        ...tool,
        status: "denied",
      }));
      return addNotice(denied, message, {
        kind: "permission_denied",
        toolName,
        toolUseId,
        message: said,
      });
    },
  ),
] as const;

function statusOfCall(state: ReducedSession, toolUseId: string, status: string): ToolStatus {
  if (status === "streaming" || status === "abandoned") return status;
  return state.prompts.some((prompt) => prompt.toolUseId === toolUseId) ? "waiting" : "running";
}

/** A call that has its input drops the streamed text of the input. A call that has ended keeps its status. */
function withCall(known: ToolItem, call: Pick<ToolItem, "status"> & Partial<ToolItem>): ToolItem {
  const { partialInput, ...rest } = known;
  const isStreaming = call.status === "streaming" && partialInput !== undefined;
  const status = isPending(known.status) ? call.status : known.status;
  return { ...(isStreaming ? known : rest), ...call, status };
}

/** The call has no result yet, or the block still streams. */
export function isPending(status: ToolStatus | BlockItem["status"]): boolean {
  return status === "streaming" || status === "running" || status === "waiting";
}

/** A result of a call that was never seen gets a call. */
function withTool(state: ReducedSession, toolUseId: string, message: Scope): ReducedSession {
  if (findItem(state, toolUseId, message) !== undefined) return state;
  const [opened, position] = listFor(state, message);
  return append(opened, position, { kind: "tool", key: toolUseId, toolUseId, status: "running" });
}

function statusOfResult(status: ToolStatus, isError: boolean): ToolStatus {
  if (!isError) return "done";
  return status === "denied" ? status : "failed";
}
