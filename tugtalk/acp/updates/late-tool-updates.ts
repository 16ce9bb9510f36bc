/**
 * The updates about tool calls, loaded with the first call or past conversation: a start, and a turn of
 * text, have none.
 */
import { type Step, type ToolCallState, told, type UpdateState } from "./update-state.ts";

export function toolUpdates() {
  return require("./tool-updates.ts") as typeof import("./tool-updates.ts");
}

/** The calls of a turn end with it, but for those of agents in the background. */
export function closeTurnStep(state: UpdateState, turnId: string): Step {
  return state.tools.size === 0 ? told(state) : toolUpdates().closeTurnStep(state, turnId);
}

/** Ends calls that have no result. */
export function closeStep(state: UpdateState, isOver: (tool: ToolCallState) => boolean): Step {
  return state.tools.size === 0 ? told(state) : toolUpdates().closeStep(state, isOver);
}
