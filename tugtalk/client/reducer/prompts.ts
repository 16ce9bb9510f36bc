/**
 * Prompts for a person. The bridge and a host tell of the same ones: the first of the two opens a prompt
 * or closes it, the other may add what the first does not know.
 */
import type { OpenPrompt } from "../../src/messages/prompt-models.ts";
import type { ToolItem, ToolPermission, ToolStatus } from "../../src/messages/transcript-models.ts";
import type { ReducedSession } from "../reduced-session.ts";
import { replaced } from "./lists.ts";
import { changeTool, isPending } from "./tools.ts";

/** How many closed prompts are remembered. */
const MAX_CLOSED = 100;

/** Opens a prompt, unless it is open or was closed before. */
export function openPrompt(state: ReducedSession, prompt: OpenPrompt): ReducedSession {
  const { requestId, toolUseId } = prompt;
  if (state.closedPrompts.includes(requestId)) return state;
  const index = state.prompts.findIndex((other) => other.requestId === requestId);
  const known = state.prompts[index];
  if (known !== undefined) return withMore(state, index, merged(known, prompt));
  const opened = { ...state, prompts: [...state.prompts, prompt] };
  if (toolUseId === undefined) return opened;
  return changeTool(opened, toolUseId, scopeOf(prompt), (tool) =>
    isPending(tool.status) ? { ...tool, status: "waiting" } : tool,
  );
}

/** What is known first stays; the other source may fill in what was absent or empty. */
function merged(known: OpenPrompt, more: OpenPrompt): OpenPrompt {
  if (known.kind === "permission" && more.kind === "permission") {
    const { permissionSuggestions: own } = known;
    const permissionSuggestions = own.length > 0 ? own : more.permissionSuggestions;
    return { ...more, ...known, permissionSuggestions };
  }
  if (known.kind === "question" && more.kind === "question") {
    const questions = known.questions.length > 0 ? known.questions : more.questions;
    return { ...more, ...known, questions };
  }
  if (known.kind === "elicitation" && more.kind === "elicitation") return { ...more, ...known };
  if (known.kind === "dialog" && more.kind === "dialog") return { ...more, ...known };
  return known;
}

function withMore(state: ReducedSession, index: number, prompt: OpenPrompt): ReducedSession {
  const before = new Map<string, unknown>(Object.entries(state.prompts[index] ?? {}));
  const isSame = Object.entries(prompt).every(([name, value]) => before.get(name) === value);
  return isSame ? state : { ...state, prompts: replaced(state.prompts, index, prompt) };
}

function scopeOf({ turnId: turn_id, parentToolUseId: parent_tool_use_id }: OpenPrompt) {
  return { turn_id, parent_tool_use_id };
}

/** The answer to a prompt or its end; `toolUseId` where the prompt itself is not known. */
export type PromptEnd = ToolPermission & { readonly toolUseId?: string };

/** Closes a prompt. The call that asked for it keeps the answer. */
export function closePrompt(
  state: ReducedSession,
  { toolUseId: namedId, ...permission }: PromptEnd,
): ReducedSession {
  const { requestId } = permission;
  const prompt = state.prompts.find((other) => other.requestId === requestId);
  const toolUseId = prompt?.toolUseId ?? namedId;
  const scope = prompt === undefined ? {} : scopeOf(prompt);
  const closed = withClosed(state, requestId);
  if (toolUseId === undefined) return closed;
  return changeTool(closed, toolUseId, scope, (tool) => withPermission(tool, permission));
}

function withClosed(state: ReducedSession, requestId: string): ReducedSession {
  if (state.closedPrompts.includes(requestId)) return state;
  return {
    ...state,
    prompts: state.prompts.filter((prompt) => prompt.requestId !== requestId),
    closedPrompts: [...state.closedPrompts, requestId].slice(-MAX_CLOSED),
  };
}

function withPermission(tool: ToolItem, permission: ToolPermission): ToolItem {
  const known = tool.permission;
  // The first end counts; the other source may know who answered, and when.
  if (known !== undefined && known.requestId === permission.requestId) {
    const merged = { ...permission, ...known };
    const isSame = Object.keys(merged).length === Object.keys(known).length;
    return isSame ? tool : { ...tool, permission: merged };
  }
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
