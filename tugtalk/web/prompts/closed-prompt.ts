/** What a person is told of a prompt that was open here and is closed. Pure. */
import { allItems } from "../../client/agent-items.ts";
import { entryIn } from "../../client/claude-value.ts";
import type { OpenPrompt } from "../../src/messages/prompt-models.ts";
import type {
  ToolItem,
  ToolPermission,
  TranscriptEntry,
} from "../../src/messages/transcript-models.ts";

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

const CANCELLED: Readonly<Record<string, string>> = {
  withdrawn: "Cancelled: Claude has taken it back",
  interrupted: "Cancelled: the turn was stopped",
  timeout: "Expired: nobody answered in time",
  exited: "Cancelled: Claude has ended",
};

const ANSWERED: Readonly<Record<string, string>> = { allow: "Allowed", deny: "Denied" };

/** One sentence without a full stop about a prompt that was not answered here. */
export function describeEnd(end: ToolPermission | undefined): string {
  if (end === undefined) return "Closed: it was answered elsewhere, or taken back";
  const { outcome, reason = "", by } = end;
  if (outcome === "cancelled") return entryIn(CANCELLED, reason) ?? `Cancelled: ${reason}`;
  return `${entryIn(ANSWERED, outcome) ?? "Answered"} ${by === undefined ? "elsewhere" : `in ${by}`}`;
}
