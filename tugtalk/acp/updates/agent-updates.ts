/** The states of agents, for a client that shows them as child sessions. Pure. */
import type { SubagentUpdate } from "@agentclientprotocol/sdk/unstable";
import { isAgentCall } from "./tool-kinds.ts";
import { titleOf } from "./tool-title.ts";
import { metaOf, type ToolCallState, type Update, type UpdateState } from "./update-state.ts";

export function agentState(
  { features, dir }: UpdateState,
  id: string,
  { name, input, parent }: ToolCallState,
  state: NonNullable<SubagentUpdate["state"]>,
): Update[] {
  // A call whose input is not whole has started no agent.
  if (!features.subagents || !isAgentCall(name) || input === undefined) return [];
  const update = {
    sessionUpdate: "subagent_update",
    sessionId: id,
    title: titleOf(dir, name, input),
    state,
    ...metaOf({ parent_tool_use_id: parent }),
  } as const;
  return [update];
}

export function agentEnd(
  state: UpdateState,
  id: string,
  tool: ToolCallState,
  status: "completed" | "failed",
): Update[] {
  const stopReason = status === "completed" ? "end_turn" : "cancelled";
  return agentState(state, id, tool, { state: "idle", stopReason });
}
