/**
 * The agents that run in the background, and Claude's turns about their ends: the answer to a prompt waits
 * for both. Pure.
 */
import { fieldsOf } from "../src/base/json.ts";
import type { OutboundDraft } from "../src/types.ts";
import { isInnerLaunch } from "./inner-launch.ts";
import { late } from "./late.ts";
import type { MessageOf } from "./updates/update-state.ts";

const toolOutputs = late(
  () =>
    require("../client/views/tool-outputs.ts") as typeof import("../client/views/tool-outputs.ts"),
);

export type BackgroundAgents = {
  /** The calls for which Claude has reported a task. A version that reports no tasks reports no ends of agents. */
  readonly tasks: ReadonlySet<string>;
  /** The running agents by their calls, each with the turn of the prompt that it works for. */
  readonly running: ReadonlyMap<string, string>;
  /** The turns of prompts with agents whose ends Claude has yet to answer, in a turn of its own. */
  readonly unsaid: ReadonlySet<string>;
  /** Claude's own open turns, each with the turns of prompts whose agents it is about. */
  readonly own: ReadonlyMap<string, ReadonlySet<string>>;
};

export const NO_AGENTS: BackgroundAgents = {
  tasks: new Set(),
  running: new Map(),
  unsaid: new Set(),
  own: new Map(),
};

/** Why a prompt is held: for agents, or for the turn that Claude should begin about their ends. */
export type Wait = "agents" | "turn";

export function waitOf(agents: BackgroundAgents, turnId: string): Wait | undefined {
  const isOwn = agents.own.values().some((roots) => roots.has(turnId));
  if (isOwn || hasAgents(agents, turnId)) return "agents";
  return agents.unsaid.has(turnId) ? "turn" : undefined;
}

/** Whether agents run that the turn has started. */
export function hasAgents({ running }: BackgroundAgents, turnId: string): boolean {
  return running.values().some((root) => root === turnId);
}

export function agentsAfter(agents: BackgroundAgents, message: OutboundDraft): BackgroundAgents {
  switch (message.type) {
    case "task_started":
      return withTask(agents, message);
    case "tool_use_structured":
      return withLaunch(agents, message);
    case "task_notification":
      return withEnd(agents, message);
    case "tool_result":
      return message.parent_tool_use_id === undefined
        ? withModelCall(agents, message)
        : withInnerLaunch(agents, message);
    case "turn_started":
      return withOwnTurn(agents, message);
    case "turn_complete":
    case "turn_cancelled":
      return withoutTurn(agents, message.turn_id);
    case "process_exit":
      return NO_AGENTS;
    default:
      return agents;
  }
}

function withTask(
  agents: BackgroundAgents,
  { tool_use_id: call, task_type }: MessageOf<"task_started">,
): BackgroundAgents {
  if (call === undefined || task_type === "local_bash") return agents;
  return { ...agents, tasks: new Set([...agents.tasks, call]) };
}

function withLaunch(
  agents: BackgroundAgents,
  { tool_use_id: call, structured_result, turn_id }: MessageOf<"tool_use_structured">,
): BackgroundAgents {
  if (turn_id === undefined || !isLaunch(structured_result, agents.tasks.has(call))) return agents;
  return running(agents, call, rootOf(agents, turn_id));
}

/** An agent was started in the background, or goes on there with a message (V330). */
function isLaunch(structured: unknown, hasTask: boolean): boolean {
  // The task of the agent may begin before this result or after it.
  if (typeof fieldsOf(structured)["resumedAgentId"] === "string") return true;
  return hasTask && toolOutputs().launchText(structured) !== undefined;
}

/** An agent starts another agent in the background, which works for the same turn. */
function withInnerLaunch(agents: BackgroundAgents, message: MessageOf<"tool_result">) {
  const { tool_use_id: call, parent_tool_use_id: outer = "", turn_id } = message;
  if (!agents.tasks.has(call) || !isInnerLaunch(message)) return agents;
  const root = agents.running.get(outer) ?? (turn_id && rootOf(agents, turn_id));
  return root === undefined ? agents : running(agents, call, root);
}

function rootOf({ own }: BackgroundAgents, turnId: string): string {
  const [root = turnId] = own.get(turnId) ?? [];
  return root;
}

function running(agents: BackgroundAgents, call: string, root: string): BackgroundAgents {
  return { ...agents, running: new Map([...agents.running, [call, root]]) };
}

function withEnd(
  agents: BackgroundAgents,
  { tool_use_id: call = "" }: MessageOf<"task_notification">,
): BackgroundAgents {
  const tasks = without(agents.tasks, call);
  const root = agents.running.get(call);
  if (root === undefined) return { ...agents, tasks };
  const running = new Map([...agents.running].filter(([other]) => other !== call));
  return { ...agents, tasks, running, unsaid: new Set([...agents.unsaid, root]) };
}

/** The next call of the model in an open turn has the reports of ended agents: no turn about them follows. */
function withModelCall(
  agents: BackgroundAgents,
  { turn_id }: MessageOf<"tool_result">,
): BackgroundAgents {
  if (turn_id === undefined || agents.unsaid.size === 0) return agents;
  const roots = agents.own.get(turn_id);
  const own =
    roots === undefined
      ? agents.own
      : new Map([...agents.own, [turn_id, new Set([...roots, ...agents.unsaid])]]);
  return { ...agents, own, unsaid: new Set() };
}

function withOwnTurn(
  agents: BackgroundAgents,
  { turn_id, trigger }: MessageOf<"turn_started">,
): BackgroundAgents {
  if (trigger === "user") return agents;
  return { ...agents, own: new Map([...agents.own, [turn_id, agents.unsaid]]), unsaid: new Set() };
}

function withoutTurn(agents: BackgroundAgents, turnId: string): BackgroundAgents {
  if (!agents.own.has(turnId)) return agents;
  return { ...agents, own: new Map([...agents.own].filter(([other]) => other !== turnId)) };
}

function without<Item>(items: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  return new Set([...items].filter((other) => other !== item));
}
