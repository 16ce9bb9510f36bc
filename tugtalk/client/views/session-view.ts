/** A session in short, and the list of sessions. Pure. */

import { allItems } from "../agent-items.ts";
import { present } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { TranscriptItem } from "../transcript-models.ts";
import type { ActiveContentBlock, SessionManagementData, SessionState } from "../web-components.ts";

/** The summary of a session. Reads the open turns only, however long the session is. */
export function viewSession(state: ReducedSession): SessionState {
  const items = state.openEntries.flatMap(allItems);
  const tools = items.flatMap((item) => (item.kind === "tool" ? [item] : []));
  return {
    sessionId: state.sessionId,
    cumulativeCost: state.cost.totalCostUsd,
    pendingControlRequests: state.prompts,
    activeContentBlocks: items.flatMap(activeBlock),
    toolUseMap: Object.fromEntries(
      tools.flatMap(({ toolUseId, name }) => (name === undefined ? [] : [[toolUseId, name]])),
    ),
    toolUseResultMap: Object.fromEntries(
      tools.flatMap(({ toolUseId, structured }) =>
        structured === undefined ? [] : [[toolUseId, structured]],
      ),
    ),
    taskList: state.taskList,
    mcpServers: state.mcpServers,
    currentModel: state.model ?? state.metadata?.model,
    permissionMode: state.permissionMode ?? state.metadata?.permissionMode,
  };
}

function activeBlock(item: TranscriptItem): ActiveContentBlock[] {
  if (item.kind !== "text" && item.kind !== "thinking" && item.kind !== "tool") return [];
  const { msgId, blockIndex } = item;
  if (item.status !== "streaming" || msgId === undefined || blockIndex === undefined) return [];
  return item.kind === "tool"
    ? [{ msgId, blockIndex, kind: "tool_use", text: item.partialInput ?? "" }]
    : [{ msgId, blockIndex, kind: item.kind, text: item.text }];
}

/** The past conversations of the folder: the page that the host has asked for last. */
export function viewSessions({
  pastSessions,
  sessionId,
}: Pick<ReducedSession, "pastSessions" | "sessionId">): SessionManagementData {
  return {
    sessions: pastSessions.map(({ session_id, title, updated_at, git_branch }) => ({
      sessionId: session_id,
      title: title ?? "Untitled",
      isCurrent: session_id === sessionId,
      updatedAt: Date.parse(updated_at),
      ...present({ gitBranch: git_branch }),
    })),
    currentSessionId: sessionId,
    supportsFork: sessionId !== undefined,
    supportsContinue: pastSessions.length > 0,
  };
}
