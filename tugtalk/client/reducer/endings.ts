/** The parts that end with a turn, a task or a process: blocks that stream, and tools without a result. */

import type { ReducedSession } from "../reduced-session.ts";
import { isRunning } from "../task-status.ts";
import type { TranscriptEntry, TranscriptItem } from "../transcript-models.ts";
import { kept, mapped } from "./lists.ts";
import { isRetry } from "./retry-notices.ts";
import { isPending } from "./tools.ts";
import {
  changeEntry,
  changeItems,
  type Items,
  indexOfKey,
  itemsIn,
  newestWhere,
} from "./transcript.ts";

/** The items without anything that is still open. */
function settledItems(items: Items): Items {
  return mapped(
    kept(items, (item) => !isRetry(item)),
    settledItem,
  );
}

/** An interrupted turn ends with its last calls: Claude turns the calls that it has stopped into errors. */
function stoppedItems(items: Items): Items {
  const last = items.findLast((item) => "msgId" in item);
  if (last?.kind !== "tool") return items;
  return mapped(items, (item) =>
    item.kind === "tool" && item.msgId === last.msgId && item.status === "failed"
      ? { ...item, status: "abandoned" }
      : item,
  );
}

function settledItem(item: TranscriptItem): TranscriptItem {
  const isEnding = item.kind === "tool" || item.kind === "text" || item.kind === "thinking";
  return isEnding && isPending(item.status) ? { ...item, status: "abandoned" } : item;
}

/** The entry at the end of its turn. Agents in the background go on. */
export function endedEntry(
  state: ReducedSession,
  entry: TranscriptEntry,
  isInterrupted: boolean,
): TranscriptEntry {
  const ended = settledEntry(entry, backgroundAgents(state, entry));
  return isInterrupted ? changeItems(ended, undefined, stoppedItems) : ended;
}

/** The entry when nothing in it can go on, but for these agents. */
function settledEntry(entry: TranscriptEntry, goingOn: ReadonlySet<string> = new Set()) {
  return Object.keys(entry.agents)
    .filter((agent) => !goingOn.has(agent))
    .reduce(
      (settled, agent) => changeItems(settled, agent, settledItems),
      changeItems(entry, undefined, settledItems),
    );
}

/** Everything ends that depends on the process. */
export function withoutOpenItems(state: ReducedSession): ReducedSession {
  const entries = mapped(state.entries, settledEntry);
  const openEntries = mapped(state.openEntries, settledEntry);
  const backgroundTasks = mapped(state.backgroundTasks, (task) =>
    isRunning(task) ? { ...task, status: "abandoned" } : task,
  );
  return { ...state, entries, openEntries, backgroundTasks };
}

/** The subagents of an entry that outlive its turn, with the subagents that they have started. */
function backgroundAgents(state: ReducedSession, entry: TranscriptEntry): ReadonlySet<string> {
  const started = state.backgroundTasks.filter(isRunning).flatMap((task) => {
    const { toolUseId, isBackgrounded } = task;
    if (toolUseId === undefined || isBackgrounded === false) return [];
    return isBackgrounded === true || hasResult(entry, toolUseId) ? [toolUseId] : [];
  });
  return new Set(started.flatMap((agent) => withDescendants(entry, agent)));
}

/** The call of an agent that goes on has its result at once. */
function hasResult(entry: TranscriptEntry, toolUseId: string): boolean {
  return [undefined, ...Object.keys(entry.agents)].some((agent) => {
    const items = itemsIn(entry, agent);
    const item = items[indexOfKey(items, toolUseId)];
    return item?.kind === "tool" && item.result !== undefined;
  });
}

/** An agent and all agents that it has started, at any depth. */
function withDescendants(
  entry: TranscriptEntry,
  agent: string,
  seen: readonly string[] = [],
): readonly string[] {
  if (seen.includes(agent) || !Object.hasOwn(entry.agents, agent)) return [];
  const trail = [...seen, agent];
  return [agent, ...itemsIn(entry, agent).flatMap(({ key }) => withDescendants(entry, key, trail))];
}

/** A task has ended, and all work of its agent with it. */
export function withEndedAgent(state: ReducedSession, agent: string): ReducedSession {
  const position = newestWhere(state, ({ agents }) => Object.hasOwn(agents, agent));
  if (position === undefined) return state;
  const end = (entry: TranscriptEntry) =>
    withDescendants(entry, agent).reduce(
      (settled, one) => changeItems(settled, one, settledItems),
      entry,
    );
  return changeEntry(state, position, end);
}
