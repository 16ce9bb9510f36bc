/** The costs of turns, by quarters of an hour: the days of every time zone begin with one. */
import type { CostRow, NewCost } from "./journal.ts";
import type { Head } from "./rows.ts";
import type { Statements } from "./statements.ts";

export const SLOT_MS = 15 * 60_000;

/** Runs within a transaction. */
export function addCost(sql: Statements, { number: session }: Head, { at, usd }: NewCost): void {
  sql.addCost.run({ slot: slotOf(at), session, usd });
}

/** Keeps the costs of a session without its id. Runs within a transaction. */
export function keepCosts(sql: Statements, session: number): void {
  sql.keepCosts.run({ session });
  sql.deleteCosts.run({ session });
}

/** An index alone gives the session of a cost, since its row may be damaged. */
export function costsSince(sql: Statements, at: number): readonly CostRow[] {
  const ids = new Map(sql.numbers.all({}).map(({ number, id }) => [number, id]));
  return sql.costs.all({ slot: slotOf(at) }).map(({ slot, session, usd }) => {
    const id = ids.get(session);
    return { ...(id !== undefined && { id }), at: slot * SLOT_MS, usd };
  });
}

/** A sum of US dollars without the last digits, which binary fractions make up. */
export function roundUsd(usd: number): number {
  return Number(usd.toFixed(9));
}

/** The quarter of an hour of a time. */
export function slotOf(at: number): number {
  return Math.floor(at / SLOT_MS);
}
