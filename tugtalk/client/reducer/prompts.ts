/** The prompts for a person: opened once and closed once. The call that asked keeps the answer. */
import type { OpenPrompt } from "../prompt-models.ts";
import type { PromptEnd, ReducedSession } from "../reduced-session.ts";
import type { ToolItem, ToolPermission, ToolStatus } from "../transcript-models.ts";
import { changeTool, isPending } from "./tools.ts";

/** How many closed prompts are remembered: as many as can be open at once in a host. */
const MAX_CLOSED = 200;

export function openPrompt(state: ReducedSession, prompt: OpenPrompt): ReducedSession {
  const { requestId, toolUseId } = prompt;
  const opened = {
    ...state,
    prompts: [...withoutRequest(state.prompts, requestId), prompt],
    closedPrompts: withoutRequest(state.closedPrompts, requestId),
  };
  if (toolUseId === undefined) return opened;
  return changeTool(opened, toolUseId, scopeOf(prompt), (tool) =>
    isPending(tool.status) ? { ...tool, status: "waiting" } : tool,
  );
}

function scopeOf({ turnId: turn_id, parentToolUseId: parent_tool_use_id }: OpenPrompt) {
  return { turn_id, parent_tool_use_id };
}

/** Closes a prompt; nothing where it is not open. */
export function closePrompt(state: ReducedSession, permission: ToolPermission): ReducedSession {
  const prompt = state.prompts.find(({ requestId }) => requestId === permission.requestId);
  if (prompt === undefined) return state;
  const { toolUseId } = prompt;
  const end: PromptEnd = { ...permission, ...(toolUseId !== undefined && { toolUseId }) };
  const closed = {
    ...state,
    prompts: withoutRequest(state.prompts, permission.requestId),
    closedPrompts: [...state.closedPrompts, end].slice(-MAX_CLOSED),
  };
  if (toolUseId === undefined) return closed;
  return changeTool(closed, toolUseId, scopeOf(prompt), (tool) => withPermission(tool, permission));
}

function withoutRequest<Prompt extends { readonly requestId: string }>(
  prompts: readonly Prompt[],
  requestId: string,
): readonly Prompt[] {
  return prompts.filter((prompt) => prompt.requestId !== requestId);
}

function withPermission(tool: ToolItem, permission: ToolPermission): ToolItem {
  const status = tool.status === "waiting" ? statusAfter(permission) : tool.status;
  return { ...tool, status, permission };
}

function statusAfter({ outcome }: ToolPermission): ToolStatus {
  return outcome === "deny" ? "denied" : "running";
}

/** Closes every prompt, because the process that asked is gone. */
export function withoutPrompts(state: ReducedSession): ReducedSession {
  return state.prompts.reduce(
    (closed, { requestId }) =>
      closePrompt(closed, { requestId, outcome: "cancelled", reason: "exited" }),
    state,
  );
}
