/** Several statements as one transaction that holds its locks for a short time only. */
import type { SQL } from "bun";
import { MAX_ANSWER_MS } from "./replaceable-pool.ts";

/**
 * The server rolls the transaction back if its connection, which the network may have frozen, goes silent.
 */
export async function shortTransaction<Value>(
  sql: SQL,
  work: (transaction: SQL) => Promise<Value>,
  limitMs = MAX_ANSWER_MS,
): Promise<Value> {
  return sql.begin(async (transaction) => {
    await transaction.unsafe(`SET LOCAL idle_in_transaction_session_timeout = ${limitMs}`);
    return work(transaction);
  });
}
