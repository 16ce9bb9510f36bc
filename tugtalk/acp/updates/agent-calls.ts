/** Which calls of an agent end with the call of the agent itself, and which outlive it. Pure. */
import type { ToolCallState, UpdateState } from "./update-state.ts";

type Calls = Pick<UpdateState, "tools">;

/**
 * Whether a call has started an agent in the background, or is inside such an agent: it may outlive its turn.
 */
export function isInBackground({ tools }: Calls, call: ToolCallState): boolean {
  if (call.isLaunched === true) return true;
  const outer = call.parent === undefined ? undefined : tools.get(call.parent);
  return outer !== undefined && isInBackground({ tools }, outer);
}

/** The call of the agent with which a call ends; undefined for a call that may outlive its agent. */
export function outerOf({ tools }: Calls, call: ToolCallState): ToolCallState | undefined {
  if (call.parent === undefined || call.isLaunched === true) return undefined;
  return tools.get(call.parent);
}
