/** What a list of sessions shows of one. Pure. */
import { textOf } from "../../client/claude-value.ts";
import type { SessionInfo } from "../../client/host-api.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { TranscriptEntry } from "../../src/messages/transcript-models.ts";
import type { SessionRow, SessionSummary } from "../journal/journal.ts";
import type { NewEntry } from "./session-change.ts";

/** How much of the latest text a list shows, in characters. */
const MAX_TEXT_CHARS = 200;
const MAX_TITLE_CHARS = 80;

/** The summary of a session whose state has changed. */
export function summaryOf(
  state: ReducedSession,
  counts: Pick<SessionSummary, "pending" | "queued">,
  { inFlight, lastError }: { readonly inFlight?: string; readonly lastError?: string },
): SessionSummary {
  const lastText = latestText([...state.entries.slice(-1), ...state.openEntries]);
  return {
    state: statusOf(state, inFlight),
    ...counts,
    costUsd: state.cost.totalCostUsd,
    ...(lastText !== undefined && { lastText }),
    ...(lastError !== undefined && { lastError }),
  };
}

/** What Claude was sent and has not begun is work, too, of which its bridge may not know yet. */
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

/** The latest error after one more entry: a turn that ends well ends it. */
export function lastErrorAfter(
  before: string | undefined,
  { type, data }: NewEntry,
): string | undefined {
  if (type === "error") return textOf(data["message"]);
  if (type === "host-error") return textOf(data["error"]);
  return type === "turn_complete" && data["result"] === "success" ? undefined : before;
}

/** Whether a list would look the same. */
export function isSameSummary(one: SessionSummary, other: SessionSummary): boolean {
  return (
    one.state === other.state &&
    one.pending === other.pending &&
    one.queued === other.queued &&
    one.costUsd === other.costUsd &&
    one.lastText === other.lastText &&
    one.lastError === other.lastError
  );
}

/** The title of a session that has none, from its first message. */
export function titleOf(message: string): string {
  const [line = ""] = message.trim().split("\n");
  return line.length > MAX_TITLE_CHARS ? `${beginningOf(line, MAX_TITLE_CHARS - 1)}…` : line;
}

/** Not cut within a character of two UTF-16 units, half of which many clients refuse. */
function beginningOf(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, "");
}

export function sessionInfo(row: SessionRow): SessionInfo {
  const { claudeSessionId, model, permissionMode, limitUsd } = row;
  const { state, pending, queued, costUsd, lastText, lastError } = row.summary;
  return {
    id: row.id,
    ...(claudeSessionId !== undefined && { claude_session_id: claudeSessionId }),
    place: row.place,
    dir: row.dir,
    title: row.title,
    state,
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permission_mode: permissionMode }),
    pending,
    queued,
    cost_usd: costUsd,
    ...(limitUsd !== undefined && { limit_usd: limitUsd }),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    ...(lastText !== undefined && { last_text: lastText }),
    ...(lastError !== undefined && { last_error: lastError }),
  };
}
