/** Which calls are of an agent, or of one inside it. Pure. */
import type { ToolCallState, UpdateState } from "./update-state.ts";

type Calls = Pick<UpdateState, "tools">;

/** An agent in the background, or a call of one: it may outlive its turn. */
export function isInBackground({ tools }: Calls, call: ToolCallState): boolean {
  if (call.isLaunched === true) return true;
  const outer = call.parent === undefined ? undefined : tools.get(call.parent);
  return outer !== undefined && isInBackground({ tools }, outer);
}

/** A call of this agent; what it has started in the background goes on without it. */
export function isCallOf(call: ToolCallState, agent: string): boolean {
  return call.parent === agent && call.isLaunched !== true;
}

/** The call of the agent that it ends with; undefined for one that goes on without that. */
export function outerOf({ tools }: Calls, call: ToolCallState): ToolCallState | undefined {
  if (call.parent === undefined || call.isLaunched === true) return undefined;
  return tools.get(call.parent);
}
