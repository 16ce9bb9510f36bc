/** The message that a person rewinds to, as the transcript has it. */
import type { EntryPage } from "../../client/entry-pages.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import {
  beginsWith,
  hasCommandOutput,
  indexOfMessage,
  lostCommands,
} from "../../client/rewound-entries.ts";
import type { TranscriptEntry, TranscriptItem } from "../../client/transcript-models.ts";
import type { SessionChoice } from "../../src/messages/protocol-init.ts";
import { ApiError } from "../api/api-error.ts";
import type { SessionRow } from "../journal/journal.ts";

export type RewindTarget = {
  /** The text of the message. */
  readonly text: string;
  /** Claude knows no message before it. */
  readonly isFirst: boolean;
  /** The reason why Claude cannot forget it. */
  readonly refusal?: ApiError;
};

/**
 * Reads older turns until the message is found. Rejects with `ApiError` 404 if the transcript does not have
 * it.
 */
export async function findTarget(
  reduced: ReducedSession,
  messageId: string,
  older: (before: string) => Promise<EntryPage>,
): Promise<RewindTarget> {
  let entries: readonly TranscriptEntry[] = [...reduced.entries, ...reduced.openEntries];
  let { before } = reduced;
  const find = () => targetIn(entries, messageId, lostCommands(reduced));
  let target = find();
  while (before !== undefined && target?.isFirst !== false) {
    const page = await older(before);
    entries = [...page.entries, ...entries];
    before = page.before;
    target = find();
  }
  if (target !== undefined) return target;
  throw new ApiError(404, "unknown_message", "the transcript has no such message");
}

function targetIn(
  entries: readonly TranscriptEntry[],
  messageId: string,
  lost: ReturnType<typeof lostCommands>,
): RewindTarget | undefined {
  const index = indexOfMessage(entries, messageId);
  const entry = entries[index];
  if (entry === undefined) return undefined;
  const place = entry.items.findIndex((item) => isMessage(item, messageId));
  const said = entry.items[place];
  const text = said?.kind === "user" ? said.text : "";
  const isFirst = beginsWith(entry, messageId) && !entries.slice(0, index).some(isKnown);
  const later = [...entry.items.slice(place), ...entries.slice(index + 1).flatMap(itemsOf)];
  const isLost = lost === "all" || (lost === "local" && hasCommandOutput(entry) === true);
  const why = refusalOf(entry, isLost && text.startsWith("/"), later);
  return { text, isFirst, ...(why !== undefined && { refusal: refused(why) }) };
}

function refusalOf(
  entry: TranscriptEntry,
  isLost: boolean,
  later: readonly TranscriptItem[],
): string | undefined {
  if (entry.isForgotten === true) return "Claude no longer knows this message";
  if (isLost) return "this version of Claude cannot go back to a command";
  return later.some(isCompaction)
    ? "the conversation was summarised since, and Claude knows the summary only"
    : undefined;
}

function refused(why: string): ApiError {
  return new ApiError(409, "resume_failed", why);
}

function isMessage(item: TranscriptItem, messageId: string): boolean {
  return item.kind === "user" && item.messageId === messageId;
}

function isKnown({ kind, isForgotten, items }: TranscriptEntry): boolean {
  return kind === "turn" && isForgotten !== true && items.some((item) => item.kind === "user");
}

function itemsOf({ items }: TranscriptEntry): readonly TranscriptItem[] {
  return items;
}

function isCompaction(item: TranscriptItem): boolean {
  if (item.kind !== "notice" || item.notice.kind !== "compaction") return false;
  return item.notice.error === undefined;
}

/** The start of Claude that knows the conversation up to the message only. Throws `ApiError` 409. */
export function choiceBefore(
  { choice, claudeSessionId }: SessionRow,
  messageId: string,
  { isFirst, refusal }: RewindTarget,
): SessionChoice {
  if (refusal !== undefined) throw refusal;
  if (isFirst) return { mode: "new" };
  // The copy has no message yet.
  if (choice?.mode === "fork") return { ...choice, at_message: messageId };
  if (claudeSessionId === undefined) throw refused("Claude has no conversation yet");
  return { mode: "resume", session_id: claudeSessionId, at_message: messageId };
}
