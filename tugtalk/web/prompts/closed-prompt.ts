/** What a person is told of a prompt that was open here and is closed. Pure. */
import { allItems } from "../../client/agent-items.ts";
import type { OpenPrompt } from "../../src/messages/prompt-models.ts";
import type {
  ToolItem,
  ToolPermission,
  TranscriptEntry,
} from "../../src/messages/transcript-models.ts";
import { receiptText } from "../tools/receipt-text.ts";

/**
 * How it ended, as the tool call that asked has it; undefined for a prompt without one. The latest of
 * `entries` are looked at first.
 */
export function endOf(
  { requestId, toolUseId }: OpenPrompt,
  entries: readonly TranscriptEntry[],
): ToolPermission | undefined {
  if (toolUseId === undefined) return undefined;
  const entry = entries.findLast((one) => callIn(one, toolUseId) !== undefined);
  const permission = entry && callIn(entry, toolUseId)?.permission;
  return permission?.requestId === requestId ? permission : undefined;
}

function callIn(entry: TranscriptEntry, toolUseId: string): ToolItem | undefined {
  for (const item of allItems(entry))
    if (item.kind === "tool" && item.toolUseId === toolUseId) return item;
  return undefined;
}

/** One sentence without a full stop about a prompt that was not answered here. */
export function describeEnd(end: ToolPermission | undefined): string {
  if (end === undefined) return "Closed: it was answered elsewhere, or taken back";
  const { at: _at, ...ended } = end;
  const isFromElsewhere = end.outcome !== "cancelled" && end.by === undefined;
  return `${receiptText(ended)}${isFromElsewhere ? " elsewhere" : ""}`;
}
