/** The items of an entry, and of the subagents in it. Pure. */
import type { ToolItem, TranscriptEntry, TranscriptItem } from "./transcript-models.ts";

type Agents = TranscriptEntry["agents"];

/** The work of an agent, and the agents that it may have started. */
export type AgentItems = { readonly items: readonly TranscriptItem[]; readonly agents: Agents };

/**
 * The agent that a call has started. It is not among its own agents: otherwise an agent that names itself as
 * its parent would be followed for ever.
 */
export function agentItems(agents: Agents, toolUseId: string): AgentItems | undefined {
  if (!Object.hasOwn(agents, toolUseId)) return undefined;
  const { [toolUseId]: items = [], ...others } = agents;
  return { items, agents: others };
}

/** The items of the main conversation and of all agents. */
export function allItems({ items, agents }: AgentItems): readonly TranscriptItem[] {
  return [items, ...Object.values(agents)].flat();
}

/** The calls that have started agents, but are in an earlier entry: an agent goes on in the background. */
export function earlierCalls(entry: AgentItems): readonly string[] {
  const started = Object.keys(entry.agents);
  if (started.length === 0) return started;
  const seen = new Set(allItems(entry).map(({ key }) => key));
  return started.filter((toolUseId) => !seen.has(toolUseId));
}

/**
 * The items of the main conversation, and a call for each agent whose own call is in an earlier
 * entry. A message that the host has sent by itself is a notice, and no message of the person.
 */
export function shownItems(entry: TranscriptEntry): readonly TranscriptItem[] {
  const earlier = earlierCalls(entry);
  const items = mainItems(entry);
  return earlier.length === 0 ? items : [...items, ...earlier.map(earlierCall)];
}

/** The items of the main conversation, where the item of a host's own message is a notice. */
export function mainItems(entry: TranscriptEntry): readonly TranscriptItem[] {
  const { items } = entry;
  if (entry.kind === "interlude" || entry.afterLimit === undefined) return items;
  const { messageId, again } = entry.afterLimit;
  const what = again === undefined ? "“continue”" : "the same message";
  const text = `Went on after the usage limit, with ${what}`;
  return items.map((item) =>
    item.kind === "user" && item.messageId === messageId
      ? { kind: "notice", key: item.key, notice: { kind: "text", level: "info", text } }
      : item,
  );
}

function earlierCall(toolUseId: string): ToolItem {
  return { kind: "tool", key: toolUseId, toolUseId, status: "running" };
}
