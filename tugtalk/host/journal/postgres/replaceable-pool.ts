/** Connections to a database that are given up for new ones where the network has frozen them. */
import type { SQL } from "bun";
import { UnreachableJournalError } from "../journal-error.ts";

/** The connections that are good now, to be asked for before each statement. */
export type Pool = {
  readonly sql: SQL;
  /** Whether it is known that the database does not answer: nothing need wait for it. */
  readonly isAway?: boolean;
  /** Where it is not there, answers are waited for as long as it takes. */
  readonly giveUp?: (sql: SQL) => void;
};

/**
 * A statement without an answer after so long will have none: its connection is frozen, also where others are not. No
 * statement of a host but the search takes so long on a database that hosts can work with.
 */
export const MAX_ANSWER_MS = 8_000;

/** A line that carries less in a millisecond is as good as frozen. */
const MIN_BYTES_PER_MS = 500;

/** How long the answer to a statement with these values may take, in ms. The array of a column counts as it is sent. */
export function answerLimitMs(values: readonly unknown[]): number {
  const chars = values.reduce<number>((sum, value) => sum + String(value ?? "").length, 0);
  return MAX_ANSWER_MS + Math.ceil(chars / MIN_BYTES_PER_MS);
}

export function databaseAway(): UnreachableJournalError {
  return new UnreachableJournalError("the database of the host cannot be reached");
}

/** Waits for the database's answer to `work`, which fails as on a lost connection where nothing comes. */
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
    // Bun's client does not fail each statement whose connection is lost.
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

  /** Statements that are under way fail as with a lost connection. */
  replace(): void {
    const old = this.#sql;
    this.#sql = this.#open();
    void old.close({ timeout: 0 });
  }

  /** Replaces these connections, unless that was done already. */
  giveUp(sql: SQL): void {
    if (this.#sql === sql) this.replace();
  }

  close(): Promise<void> {
    return this.#sql.close({ timeout: 1 });
  }
}
