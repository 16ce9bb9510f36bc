/**
 * The updates about tool calls, compactions and notices. The agent loads the builders of a kind of update
 * with its first message: the start of a session, and a turn of text alone, are faster without them.
 */
import type { Notice } from "../../client/transcript-models.ts";
import type { OutboundDraft } from "../../src/types.ts";
import { late } from "../late.ts";
import {
  type Row,
  type Step,
  stepTo,
  type ToolCallState,
  type UpdateState,
} from "./update-state.ts";

export const toolUpdates = late(
  () => require("./tool-updates.ts") as typeof import("./tool-updates.ts"),
);

const continuedAgents = late(
  () => require("./continued-agents.ts") as typeof import("./continued-agents.ts"),
);

export const noticeUpdates = late(
  () => require("./notice-updates.ts") as typeof import("./notice-updates.ts"),
);

export const compactionUpdates = late(
  () => require("./compaction-updates.ts") as typeof import("./compaction-updates.ts"),
);

/** The calls of a turn end with it, but for calls of agents in the background. */
export function closeTurnStep(state: UpdateState, turnId: string): Step {
  return state.tools.size === 0 ? stepTo(state) : toolUpdates().closeTurnStep(state, turnId);
}

/** Ends calls that have no result. */
export function closeStep(state: UpdateState, isOver: (tool: ToolCallState) => boolean): Step {
  return state.tools.size === 0 ? stepTo(state) : toolUpdates().closeStep(state, isOver);
}

/** Claude has ended, and all that ran in it. */
export function closeAll(state: UpdateState): Step {
  const closed = closeStep(state, () => true);
  if (state.children.size === 0) return closed;
  const paused = continuedAgents().pauseAll(closed.state);
  return stepTo(paused.state, ...closed.updates, ...paused.updates);
}

/** The agents that go on behind the past. */
export function childrenAgain(
  past: UpdateState,
  live: UpdateState["children"],
  calls: ReadonlySet<string>,
): Step {
  return live.size === 0 ? stepTo(past) : continuedAgents().continueAgain(past, live, calls);
}

/** A compaction ends with its turn. */
export function closeCompaction(state: UpdateState): Step {
  return state.compaction.isOpen ? compactionUpdates().closeCompaction(state) : stepTo(state);
}

export const sessionState: Row<"session_state"> = (state, message) =>
  message.state === "compacting"
    ? compactionUpdates().compactionStarted(state, message)
    : stepTo(state);

/** The notices that the page has for a message. */
export function noticed(state: UpdateState, message: OutboundDraft): Step {
  return noticeUpdates().noticed(state, message);
}

export function noticeStep(state: UpdateState, notice: Notice): Step {
  return noticeUpdates().noticeStep(state, notice);
}

/** The servers that have failed since the last time. */
export const serversStep: Row<"system_metadata"> = (state, message) => {
  const isFine = (message.mcp_servers ?? []).every(({ status }) => status === "connected");
  return isFine ? stepTo(state) : noticeUpdates().serversStep(state, message);
};
