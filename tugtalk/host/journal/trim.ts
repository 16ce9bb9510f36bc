/** Cuts a journal that has become too long. The rows go later (`sweep.ts`). */
import { type Head, keptBytes } from "./rows.ts";
import type { Statements } from "./statements.ts";

/**
 * The head of a session that takes more than `maxBytes`, after its oldest part has gone. Half of the bytes
 * remain, so that cuts are rare. The entries before the snapshot go first, since only a replay of the whole
 * journal needs them. Turns go if they alone take more than half.
 */
export function trimmed(sql: Statements, head: Head, maxBytes: number, now: number): Head {
  if (keptBytes(head) <= maxBytes) return head;
  const cut = cutEntries(sql, cutTurns(sql, head, maxBytes), maxBytes);
  if (cut.start_seq === head.start_seq && cut.start_turn === head.start_turn) return head;
  const { number: session, start_seq: seq, start_turn: turn } = cut;
  sql.addTrash.run({ session, seq, turn });
  return { ...cut, epoch: Math.max(now, head.epoch + 1) };
}

function cutTurns(sql: Statements, head: Head, maxBytes: number): Head {
  const { number: session, start_turn, turn } = head;
  if (head.turn_bytes - head.start_turn_bytes <= maxBytes / 2) return head;
  const totalOf = (number: number) => sql.turnTotal.get({ session, turn: number })?.total ?? 0;
  const enough = head.turn_bytes - maxBytes / 4;
  const start = firstNumber(start_turn, turn, (number) => totalOf(number) >= enough);
  return { ...head, start_turn: start, start_turn_bytes: totalOf(start) };
}

function cutEntries(sql: Statements, head: Head, maxBytes: number): Head {
  const { number: session, start_seq } = head;
  // The entries after the snapshot are needed to load the session.
  const last = sql.snapshotSeq.get({ session })?.seq ?? 0;
  if (last <= start_seq) return head;
  const totalOf = (seq: number) => sql.entryTotal.get({ session, seq })?.total ?? 0;
  const enough = head.start_bytes + keptBytes(head) - maxBytes / 2;
  const start = firstNumber(start_seq, last, (seq) => totalOf(seq) >= enough);
  return { ...head, start_seq: start, start_bytes: totalOf(start) };
}

/** The first number after `low` that meets an ascending condition; `high` where none before it does. */
function firstNumber(low: number, high: number, isEnough: (number: number) => boolean): number {
  let below = low;
  let found = high;
  while (found - below > 1) {
    const middle = Math.floor((below + found) / 2);
    if (isEnough(middle)) found = middle;
    else below = middle;
  }
  return found;
}
