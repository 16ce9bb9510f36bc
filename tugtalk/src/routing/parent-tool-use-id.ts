/** The mark of a subagent: the tool call that it works for. */
import type { OutboundDraft } from "../types.ts";

/** The tool call of a subagent; undefined for the main conversation. */
export type ParentToolUseId = string | undefined;

/** A line that Claude may mark. */
type Marked = { readonly parent_tool_use_id?: string | null | undefined };

/** The messages with the mark of their line. */
export function withParentOf(line: Marked, messages: readonly OutboundDraft[]): OutboundDraft[] {
  const { parent_tool_use_id } = line;
  if (typeof parent_tool_use_id !== "string") return [...messages];
  return messages.map((message) => ({ ...message, parent_tool_use_id }));
}
