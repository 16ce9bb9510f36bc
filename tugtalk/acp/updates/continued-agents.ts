/**
 * Agents that have ended and go on with a message (V330), for a client that shows them as child sessions: the
 * call stays ended, and the child session runs again. Pure.
 */
import type { SubagentUpdate } from "@agentclientprotocol/sdk/unstable";
import { isAgentCall } from "./tool-kinds.ts";
import { titleOf } from "./tool-title.ts";
import {
  type ChildSession,
  type MessageOf,
  marked,
  metaOf,
  type Step,
  stepTo,
  type Update,
  type UpdateState,
} from "./update-state.ts";

/** The state with the agent that this call has started. */
export function withChild(state: UpdateState, agentId: unknown, call: string): UpdateState {
  const { name = "", input, parent } = state.tools.get(call) ?? {};
  const isShown = state.features.subagents && isAgentCall(name) && input !== undefined;
  if (!isShown || typeof agentId !== "string" || state.children.has(agentId)) return state;
  return withState(state, agentId, { call, title: titleOf(state.dir, name, input), parent });
}

/** A task of an agent that has ended before. */
export function continueStep(
  state: UpdateState,
  { task_id }: Pick<MessageOf<"task_started">, "task_id">,
): Step {
  const child = state.children.get(task_id);
  const isRunning =
    child?.isContinued === true || state.tools.get(child?.call ?? "")?.isEnded === false;
  if (child === undefined || isRunning) return stepTo(state);
  const next = withState(state, task_id, { ...child, isContinued: true });
  return stepTo(next, updateOf(child, { state: "running" }));
}

/** The end of such a task. */
export function pauseStep(
  state: UpdateState,
  { task_id, status }: Pick<MessageOf<"task_notification">, "task_id" | "status">,
): Step {
  const child = state.children.get(task_id);
  if (child?.isContinued !== true) return stepTo(state);
  const stopReason = status === "completed" ? "end_turn" : "cancelled";
  const next = withState(state, task_id, { ...child, isContinued: false });
  return stepTo(next, updateOf(child, { state: "idle", stopReason }));
}

/** Claude has ended, and its agents with it. */
export function pauseAll(state: UpdateState): Step {
  return [...state.children.keys()].reduce<Step>((before, task_id) => {
    const step = pauseStep(before.state, { task_id, status: "stopped" });
    return stepTo(step.state, ...before.updates, ...step.updates);
  }, stepTo(state));
}

/** Behind the past, in which the agents have ended: those of these calls run. */
export function continueAgain(
  past: UpdateState,
  live: UpdateState["children"],
  calls: ReadonlySet<string>,
): Step {
  const known = [...live].map(([id, child]): [string, ChildSession] => [
    id,
    { ...child, isContinued: child.isContinued === true && calls.has(child.call) },
  ]);
  const running = known.filter(([, { isContinued }]) => isContinued);
  return stepTo(
    { ...past, children: new Map([...past.children, ...known]) },
    ...running.map(([, child]) => updateOf(child, { state: "running" })),
  );
}

function withState(state: UpdateState, agentId: string, child: ChildSession): UpdateState {
  return { ...state, children: new Map([...state.children, [agentId, child]]) };
}

/** The agent may run on behind the answer to a prompt. */
function updateOf(
  { call, title, parent }: ChildSession,
  state: NonNullable<SubagentUpdate["state"]>,
): Update {
  const meta = metaOf({ parent_tool_use_id: parent });
  const update = { sessionUpdate: "subagent_update", sessionId: call, title, state } as const;
  return marked({ ...update, ...meta }, { background: true });
}
