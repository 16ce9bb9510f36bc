/** A turn of the transcript as a tree. Pure. */
import type { EntryView, ToolView, TranscriptNode } from "../../src/messages/entry-models.ts";
import type {
  ToolItem,
  TranscriptEntry,
  TranscriptItem,
} from "../../src/messages/transcript-models.ts";
import { entryIn } from "../claude-value.ts";
import { viewNotice } from "./notice-view.ts";
import { viewToolCall } from "./tool-view.ts";

type Server = { readonly name: string };
type Agents = TranscriptEntry["agents"];

/**
 * An entry with the conversation of each agent inside the tool call that started it. The same entry and
 * servers give an equal view, so that a page can keep the view for as long as the two are identical.
 */
export function viewEntry(entry: TranscriptEntry, servers: readonly Server[] = []): EntryView {
  const { items, agents, ...rest } = entry;
  const seen = new Set([...items, ...Object.values(agents).flat()].map(({ key }) => key));
  // The call of an agent that goes on in the background may be in an earlier entry.
  const unseen = Object.keys(agents).filter((toolUseId) => !seen.has(toolUseId));
  const shown = [...items, ...unseen.map(unseenCall)];
  return { ...rest, nodes: shown.map((item) => viewItem(item, agents, servers)) };
}

function unseenCall(toolUseId: string): ToolItem {
  return { kind: "tool", key: toolUseId, toolUseId, status: "running" };
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
  const children = entryIn(agents, toolUseId);
  if (children === undefined) return [];
  // An agent that names itself as its parent must not be followed for ever.
  const others = { ...agents, [toolUseId]: [] };
  return children.map((child) => viewItem(child, others, servers));
}
