/** A turn of the transcript as a tree. Pure. */

import { agentItems, shownItems } from "../agent-items.ts";
import type { EntryView, ToolView, TranscriptNode } from "../entry-models.ts";
import type { ToolItem, TranscriptEntry, TranscriptItem } from "../transcript-models.ts";
import { viewNotice } from "./notice-view.ts";
import type { Server } from "./tool-name.ts";
import { viewToolCall } from "./tool-view.ts";

type Agents = TranscriptEntry["agents"];

/**
 * An entry with the conversation of each agent inside the tool call that started it. The same entry and
 * servers give an equal view, so that a page can keep the view for as long as the two are identical.
 */
export function viewEntry(entry: TranscriptEntry, servers: readonly Server[] = []): EntryView {
  const { items: _items, agents, ...rest } = entry;
  return { ...rest, nodes: shownItems(entry).map((item) => viewItem(item, agents, servers)) };
}

function viewItem(
  item: TranscriptItem,
  agents: Agents,
  servers: readonly Server[],
): TranscriptNode {
  switch (item.kind) {
    case "tool":
      return viewTool(item, agents, servers);
    case "notice":
      return { kind: "notice", key: item.key, notice: viewNotice(item.notice) };
    default:
      return item;
  }
}

function viewTool(item: ToolItem, agents: Agents, servers: readonly Server[]): ToolView {
  return {
    ...viewToolCall(item, servers),
    children: viewChildren(item.toolUseId, agents, servers),
  };
}

function viewChildren(
  toolUseId: string,
  agents: Agents,
  servers: readonly Server[],
): readonly TranscriptNode[] {
  const agent = agentItems(agents, toolUseId);
  return agent?.items.map((child) => viewItem(child, agent.agents, servers)) ?? [];
}
