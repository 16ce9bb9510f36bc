/** Replaces connections to a database that the network has frozen. */
import type { SQL } from "bun";
import { UnreachableJournalError } from "../journal-error.ts";

/** The current connections. Callers ask for them before each statement. */
export type Pool = {
  readonly sql: SQL;
  /** Whether the database is known not to answer: callers need not wait for it. */
  readonly isAway?: boolean;
  /** Called for connections that do not answer. Without it, callers wait for answers without a limit. */
  readonly giveUp?: (sql: SQL) => void;
};

/**
 * The limit for an answer. A connection without one is frozen, even if others are not. No statement but the
 * search takes so long on a database that is fast enough for hosts.
 */
export const MAX_ANSWER_MS = 8_000;

/** A slower line counts as frozen. */
const MIN_BYTES_PER_MS = 500;

/**
 * How long the answer to a statement with these values may take, in ms. The array of a column counts as it
 * is sent.
 */
export function answerLimitMs(values: readonly unknown[]): number {
  const chars = values.reduce<number>((sum, value) => sum + String(value ?? "").length, 0);
  return MAX_ANSWER_MS + Math.ceil(chars / MIN_BYTES_PER_MS);
}

export function databaseAway(): UnreachableJournalError {
  return new UnreachableJournalError("the database of the host cannot be reached");
}

/** Waits for the database's answer to `work`. Fails as with a lost connection if none comes. */
export async function answered<Value>(
  pool: Pool,
  work: (sql: SQL) => PromiseLike<Value>,
  limitMs = MAX_ANSWER_MS,
): Promise<Value> {
  const { sql } = pool;
  if (pool.giveUp === undefined) return await work(sql);
  const silence = Promise.withResolvers<never>();
  const silent = setTimeout(() => {
    pool.giveUp?.(sql);
    // Bun's client does not fail every statement of a lost connection.
    silence.reject(databaseAway());
  }, limitMs);
  try {
    return await Promise.race([work(sql), silence.promise]);
  } finally {
    clearTimeout(silent);
  }
}

export class ReplaceablePool implements Pool {
  readonly #open: () => SQL;
  #sql: SQL;
  isAway = false;

  /** `open` opens connections when they are first needed. */
  constructor(open: () => SQL, first = open()) {
    this.#open = open;
    this.#sql = first;
  }

  get sql(): SQL {
    return this.#sql;
  }

  /** Replaces the connections. Running statements fail as with a lost connection. */
  replace(): void {
    const old = this.#sql;
    this.#sql = this.#open();
    void old.close({ timeout: 0 });
  }

  /** Replaces these connections, unless they have been replaced already. */
  giveUp(sql: SQL): void {
    if (this.#sql === sql) this.replace();
  }

  close(): Promise<void> {
    return this.#sql.close({ timeout: 1 });
  }
}
