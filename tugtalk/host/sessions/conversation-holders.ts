/** The session that has a conversation of Claude's: one at a time. */
import type { Uptime } from "../../src/base/uptime.ts";
import { ApiError } from "../api/api-error.ts";
import type { SessionRow } from "../journal/journal.ts";
import { lingerLeft } from "./old-bridge.ts";

/** The sessions of the host. */
export type Holders = {
  readonly rows: readonly SessionRow[];
  /** Whether a bridge of the session runs, or is being started. */
  readonly hasClaude: (id: string) => boolean;
  readonly now: number;
  /** The uptime of this machine. */
  readonly up: Uptime | undefined;
};

/** The refusal of a conversation that another session has, and may be writing. */
export function holderError(
  { rows, hasClaude, now, up }: Holders,
  conversation: string | undefined,
  ownId?: string,
): ApiError | undefined {
  const holder = sharing(rows, conversation, ownId).find((row) => {
    const { state } = row.summary;
    if (state === "disconnected") return lingerLeft(row, now, up) > 0;
    return hasClaude(row.id) || (state !== "exited" && state !== "failed");
  });
  if (holder === undefined) return undefined;
  const message = `conversation ${conversation} is that of session ${holder.id}: end it first`;
  return new ApiError(409, "in_use", message, { session: holder.id });
}

/** Throws an `ApiError` 409 if another session has the conversation, and may be writing it. */
export function checkFree(
  holders: Holders,
  conversation: string | undefined,
  ownId?: string,
): void {
  const error = holderError(holders, conversation, ownId);
  if (error !== undefined) throw error;
}

/**
 * Resolves when nobody else can be writing the conversation of a session. Other sessions are checked before
 * the first wait, so that of two starts at once the second is refused.
 */
export async function conversationFree(
  holders: Holders,
  row: SessionRow,
  oldBridgeGone: (row: SessionRow) => Promise<void>,
): Promise<void> {
  const { id, claudeSessionId } = row;
  checkFree(holders, claudeSessionId, id);
  for (const one of [row, ...sharing(holders.rows, claudeSessionId, id)]) await oldBridgeGone(one);
}

/** The other sessions of the conversation. */
function sharing(
  rows: readonly SessionRow[],
  conversation: string | undefined,
  ownId: string | undefined,
): readonly SessionRow[] {
  if (conversation === undefined) return [];
  return rows.filter(({ id, claudeSessionId }) => claudeSessionId === conversation && id !== ownId);
}
