/**
 * Agents as child sessions, for a client that shows them so. The id of a child is that of the call that
 * has started it; what the agent says goes to that session. Pure.
 */
import type { SubagentUpdate } from "@agentclientprotocol/sdk/unstable";
import { fieldsOf } from "../../src/base/json.ts";
import { isAgentCall, titleOf } from "./tool-kinds.ts";
import { metaOf, type ToolCallState, type Update, type UpdateState } from "./update-state.ts";

export function agentState(
  { features, dir }: UpdateState,
  id: string,
  { name, input, parent }: ToolCallState,
  state: NonNullable<SubagentUpdate["state"]>,
): Update[] {
  if (!features.subagents || !isAgentCall(name)) return [];
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

/** The session that an update goes to, and what is asked there. */
export function sessionOf(
  { features }: Pick<UpdateState, "features">,
  sessionId: string,
  { _meta }: Pick<Update, "_meta">,
): string {
  const parent = features.subagents ? fieldsOf(_meta?.["tugtalk"])["parentToolCallId"] : undefined;
  return typeof parent === "string" ? parent : sessionId;
}
