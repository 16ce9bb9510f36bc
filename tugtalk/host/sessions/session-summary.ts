/** A session in the form of a list. Pure. */
import { present, textOf } from "../../client/claude-value.ts";
import type { SessionInfo } from "../../client/host-api.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import { roundUsd } from "../journal/costs.ts";
import type { Commit, SessionRow, SessionSummary } from "../journal/journal.ts";
import type { NewEntry } from "./session-state.ts";
import { waitingIn } from "./unread-messages.ts";
import { limitInfo } from "./usage-limit.ts";

/** The most characters of the latest text in a list. */
const MAX_TEXT_CHARS = 200;
const MAX_TITLE_CHARS = 80;

/** The row after new entries; the same row if a list would look the same. */
export function withSummary(
  row: SessionRow,
  reduced: ReducedSession,
  { entries, at }: { readonly entries: readonly NewEntry[]; readonly at: number },
): SessionRow {
  const lastText = latestText([...reduced.entries.slice(-1), ...reduced.openEntries]);
  const lastError = entries.reduce(lastErrorAfter, row.summary.lastError);
  const summary: SessionSummary = {
    state: statusOf(reduced, row.inFlight),
    pending: reduced.prompts.length,
    queued: waitingIn(reduced).length,
    isQueueHeld: reduced.isQueueHeld,
    costUsd: roundUsd(reduced.cost.totalCostUsd),
    ...present({ lastText, lastError }),
  };
  if (Bun.deepEquals(summary, row.summary)) return row;
  return { ...row, summary, updatedAt: isMereEnd(row.summary, summary) ? row.updatedAt : at };
}

/**
 * Whether only Claude's process has ended, as every one does with the host: the session itself is unchanged.
 */
function isMereEnd(before: SessionSummary, after: SessionSummary): boolean {
  return after.state === "exited" && Bun.deepEquals({ ...before, state: "exited" }, after);
}

/** The cost that a commit adds at its time. */
export function newCost(before: SessionRow, row: SessionRow, at: number): Pick<Commit, "cost"> {
  const usd = roundUsd(row.summary.costUsd - before.summary.costUsd);
  return usd > 0 ? { cost: { at, usd } } : {};
}

/** A message that Claude has not begun is work, too, although the bridge may not know it yet. */
function statusOf({ status, queue }: ReducedSession, inFlight: string | undefined) {
  const isOnItsWay = inFlight !== undefined || queue.some(({ isSent }) => isSent);
  return status === "idle" && isOnItsWay ? "running" : status;
}

function latestText(entries: readonly TranscriptEntry[]): string | undefined {
  for (const { items } of entries.toReversed()) {
    const item = items.findLast(({ kind }) => kind === "text");
    if (item?.kind === "text" && item.status === "complete")
      return beginningOf(item.text, MAX_TEXT_CHARS);
  }
  return undefined;
}

/** The latest error after one more entry. A turn that ends well clears it. */
function lastErrorAfter(before: string | undefined, { type, data }: NewEntry): string | undefined {
  if (type === "error") return textOf(data["message"]);
  if (type === "host_error") return textOf(data["error"]);
  return type === "turn_complete" && data["result"] === "success" ? undefined : before;
}

/** The title of an untitled session, from its first message. */
export function titleOf(message: string): string {
  const [line = ""] = message.trim().split("\n");
  return line.length > MAX_TITLE_CHARS ? `${beginningOf(line, MAX_TITLE_CHARS - 1)}…` : line;
}

/** Does not cut a character of two UTF-16 units in half, which many clients refuse. */
function beginningOf(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, "");
}

export function sessionInfo(row: SessionRow): SessionInfo {
  const { claudeSessionId, model, permissionMode, limitUsd, archivedAt, mirror } = row;
  const { state, pending, queued, costUsd, lastText, lastError } = row.summary;
  return {
    id: row.id,
    ...(claudeSessionId !== undefined && { claude_session_id: claudeSessionId }),
    place: row.place,
    ...(row.machine !== undefined && { machine: row.machine }),
    dir: row.dir,
    ...(mirror !== undefined && { mirror: true as const }),
    title: row.title,
    state,
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permission_mode: permissionMode }),
    pending,
    queued,
    cost_usd: costUsd,
    ...(limitUsd !== undefined && { limit_usd: limitUsd }),
    ...limitInfo(row),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    ...(archivedAt !== undefined && { archived_at: archivedAt }),
    ...(lastText !== undefined && { last_text: lastText }),
    ...(lastError !== undefined && { last_error: lastError }),
  };
}
