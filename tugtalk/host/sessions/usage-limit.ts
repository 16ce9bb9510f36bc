/**
 * The usage limit of an account for one session: the time at which it continues, and the message for that.
 * Pure.
 */
import { present, textsOf } from "../../client/claude-value.ts";
import type { SessionInfo } from "../../client/host-api.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { Turn, UserItem } from "../../client/transcript-models.ts";
import type { TurnComplete } from "../../src/messages/turn-messages.ts";
import type { RefusedTurn, SessionRow, UsageLimit } from "../journal/journal.ts";

/** The message to a Claude that had begun to answer. */
export const CONTINUE = "continue";
/** How often in a row a session goes on by itself. */
export const MAX_TIMES = 3;
/** A reset that is farther away is not waited for. Monthly limits are the longest. */
export const MAX_WAIT_MS = 32 * 24 * 3_600_000;
/**
 * The delay from now for a reset in the past, which comes from a difference between Claude's clock and this
 * one.
 */
const LATE_RESET_MS = 60_000;
/** Spreads the sessions of one account over this time. */
const SPREAD_MS = 3_000;

type Limited = Pick<SessionRow, "id" | "usageLimit">;

/** The turn with which the session continues by itself. No other message is sent before. */
export function waitingTurn({ usageLimit }: Limited): RefusedTurn | undefined {
  const { goesOn, times = 0, refused } = usageLimit ?? {};
  return goesOn === true && times < MAX_TIMES ? refused : undefined;
}

/** The time at which the session continues by itself; undefined if it does not. */
export function goesOnAt(row: Limited): number | undefined {
  const turn = waitingTurn(row);
  return turn && turn.resetsAt + spreadOf(row.id);
}

/** The time of the alarm; undefined once the message is on its way. */
export function ringsAt(row: Limited): number | undefined {
  return row.usageLimit?.refused?.sendId === undefined ? goesOnAt(row) : undefined;
}

/**
 * The time of the alarm after a start of the host: not at once, and also for a message that was on its way.
 */
export function ringsAfter(row: Limited, start: number): number | undefined {
  const at = goesOnAt(row);
  return at && Math.max(at, start + spreadOf(row.id));
}

/** The same delay for one session each time. */
function spreadOf(id: string): number {
  return Number(Bun.hash.crc32(id)) % SPREAD_MS;
}

/** The part of the record that clients get. */
export function limitInfo(
  row: Limited,
): Pick<SessionInfo, "goes_on" | "limit_resets_at" | "goes_on_at"> {
  const { goesOn, refused } = row.usageLimit ?? {};
  return present({
    goes_on: goesOn,
    limit_resets_at: refused?.resetsAt,
    goes_on_at: goesOnAt(row),
  });
}

/**
 * Whether the usage limit has refused a turn. Claude reports each change of the limit, and the status of each
 * failure.
 */
export function isRefusal(
  { is_error, api_error_status }: TurnComplete,
  { rateLimit }: Pick<ReducedSession, "rateLimit">,
): boolean {
  return is_error && api_error_status === 429 && rateLimit?.status === "rejected";
}

/**
 * The time of the limit's reset, if it can be waited for. Undefined: Claude gives none, or it is too far
 * away.
 */
export function resetAfter(
  { rateLimit }: Pick<ReducedSession, "rateLimit">,
  now: number,
): number | undefined {
  const { resetsAt: seconds } = rateLimit ?? {};
  if (typeof seconds !== "number") return undefined;
  const at = Math.ceil(seconds * 1000);
  if (isTooFar(at, now)) return undefined;
  return at > now ? at : now + LATE_RESET_MS;
}

export function isTooFar(at: number, now: number): boolean {
  return at - now > MAX_WAIT_MS;
}

/** The message of a turn that was refused at its first model call. */
export function unansweredMessage(
  reduced: ReducedSession,
  { turn_id, message_ids }: Pick<TurnComplete, "turn_id" | "message_ids">,
): string | undefined {
  const [messageId, ...others] = textsOf(message_ids);
  const turn = [...reduced.entries, ...reduced.openEntries].findLast(
    (entry): entry is Turn => entry.kind === "turn" && entry.turnId === turn_id,
  );
  if (turn === undefined || others.length > 0) return undefined;
  const isAnswered = turn.items.some(
    (item) =>
      item.kind === "tool" ||
      ((item.kind === "text" || item.kind === "thinking") && item.synthetic !== true),
  );
  return isAnswered ? undefined : messageId;
}

/**
 * The text with which the session continues. Claude has read a message that the state does not know any more.
 */
export function textAfterLimit(
  { entries, openEntries }: ReducedSession,
  { messageId }: RefusedTurn,
): { readonly text: string; readonly again?: string } {
  if (messageId === undefined) return { text: CONTINUE };
  const item = [...entries, ...openEntries]
    .flatMap(({ items }) => items)
    .findLast((one): one is UserItem => one.kind === "user" && one.messageId === messageId);
  return item === undefined ? { text: CONTINUE } : { text: item.text, again: messageId };
}

/** Whether a message's attachments are still needed: it may be sent once more. */
export function isSentAgain({ usageLimit }: Limited, messageId: string): boolean {
  const { messageId: refused, sendId } = usageLimit?.refused ?? {};
  return messageId === refused || messageId === sendId;
}

/** The fields to change; undefined: removed. */
export type LimitChange = { readonly [Name in keyof UsageLimit]?: UsageLimit[Name] | undefined };

/** The row with the change, and without empty fields. */
export function withUsageLimit(row: SessionRow, change: LimitChange): SessionRow {
  const { usageLimit, ...rest } = row;
  const { goesOn, times = 0, refused } = { ...usageLimit, ...change };
  const next = present({ goesOn, times: times === 0 ? undefined : times, refused });
  return Object.keys(next).length === 0 ? rest : { ...rest, usageLimit: next };
}
