/** Which calls are of an agent, or of one inside it. Pure. */
import type { ToolCallState, UpdateState } from "./update-state.ts";

type Calls = Pick<UpdateState, "tools">;

/** An agent in the background, or a call of one: it may outlive its turn. */
export function isInBackground({ tools }: Calls, call: ToolCallState): boolean {
  if (call.isLaunched === true) return true;
  const outer = call.parent === undefined ? undefined : tools.get(call.parent);
  return outer !== undefined && isInBackground({ tools }, outer);
}

/** A call of this agent, or of one inside it; what has been started in the background goes on. */
export function isInside({ tools }: Calls, call: ToolCallState, agent: string): boolean {
  if (call.parent === undefined || call.isLaunched === true) return false;
  if (call.parent === agent) return true;
  const outer = tools.get(call.parent);
  return outer !== undefined && isInside({ tools }, outer, agent);
}
