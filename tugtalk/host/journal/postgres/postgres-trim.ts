/** Cuts a session that has become too long, as `../trim.ts` does. The rows go at once. */
import type { SQL } from "bun";
import { type Head, keptBytes } from "../rows.ts";
import { SELECT_HEAD } from "./postgres-statements.ts";
import { shortTransaction } from "./short-transaction.ts";

export type TrimmedSession = {
  readonly id: string;
  readonly fence: number;
  readonly maxBytes: number;
  /** The least new epoch. */
  readonly now: number;
};

/** Takes out the oldest part of the session, if it has more than `maxBytes` and still this fence. */
export async function trim(sql: SQL, { id, fence, maxBytes, now }: TrimmedSession): Promise<void> {
  await shortTransaction(sql, async (transaction) => {
    const statement = `${SELECT_HEAD} AND fence = $2 FOR UPDATE`;
    const [head] = await transaction.unsafe<Head[]>(statement, [id, fence]);
    if (head === undefined || keptBytes(head) <= maxBytes) return;
    const cut = await cutEntries(
      transaction,
      await cutTurns(transaction, head, maxBytes),
      maxBytes,
    );
    if (cut.start_seq === head.start_seq && cut.start_turn === head.start_turn) return;
    const epoch = Math.max(now, head.epoch + 1);
    const { number, start_seq, start_turn } = cut;
    await transaction`UPDATE sessions SET epoch = ${epoch}, start_seq = ${start_seq},
      start_bytes = ${cut.start_bytes}, start_turn = ${start_turn},
      start_turn_bytes = ${cut.start_turn_bytes} WHERE number = ${number}`;
    await transaction`DELETE FROM entries WHERE session = ${number} AND seq <= ${start_seq}`;
    await transaction`DELETE FROM texts WHERE session = ${number} AND entry IN
      (SELECT key FROM turns WHERE session = ${number} AND turn <= ${start_turn})`;
    await transaction`DELETE FROM turns WHERE session = ${number} AND turn <= ${start_turn}`;
  });
}

type Cut = { readonly at: number; readonly total: number };

async function cutTurns(sql: SQL, head: Head, maxBytes: number): Promise<Head> {
  if (head.turn_bytes - head.start_turn_bytes <= maxBytes / 2) return head;
  const enough = Math.ceil(head.turn_bytes - maxBytes / 4);
  const [cut] = await sql<Cut[]>`SELECT turn::float8 AS at, total::float8 AS total FROM turns
    WHERE session = ${head.number} AND turn > ${head.start_turn}
    AND (total >= ${enough} OR turn = ${head.turn}) ORDER BY turn LIMIT 1`;
  if (cut === undefined) return head;
  return { ...head, start_turn: cut.at, start_turn_bytes: cut.total };
}

/** The entries after the snapshot are needed to load the session. */
async function cutEntries(sql: SQL, head: Head, maxBytes: number): Promise<Head> {
  const enough = Math.ceil(head.start_bytes + keptBytes(head) - maxBytes / 2);
  const [cut] = await sql<Cut[]>`SELECT entries.seq::float8 AS at, total::float8 AS total
    FROM entries JOIN snapshots USING (session)
    WHERE session = ${head.number} AND entries.seq > ${head.start_seq} AND entries.seq <= snapshots.seq
    AND (total >= ${enough} OR entries.seq = snapshots.seq) ORDER BY entries.seq LIMIT 1`;
  if (cut === undefined) return head;
  return { ...head, start_seq: cut.at, start_bytes: cut.total };
}
