/** The dollar limit of a session. Pure. */
import type { ReducedSession } from "../../client/reduced-session.ts";
import { ApiError } from "../api/api-error.ts";
import type { SessionRow } from "../journal/journal.ts";

type Limited = {
  readonly row: Pick<SessionRow, "limitUsd">;
  readonly reduced: Pick<ReducedSession, "cost">;
};

/** Claude takes no budget of 0. */
const LEAST_BUDGET_USD = 1e-6;

/** Whether the limit allows no further turn. */
export function isSpent({ row: { limitUsd }, reduced }: Limited): boolean {
  return limitUsd !== undefined && reduced.cost.totalCostUsd >= limitUsd;
}

/** Throws `ApiError` 409 if the limit allows no further turn. */
export function checkLimit(state: Limited): void {
  if (!isSpent(state)) return;
  const { row } = state;
  const message = `the session has cost its limit of $${row.limitUsd}: raise it to go on`;
  throw new ApiError(409, "over_limit", message, { limit_usd: row.limitUsd });
}

/** The budget of a Claude that starts now, since each counts from 0; undefined: no bound. */
export function budgetLeft({
  limitUsd,
  summary,
  options,
}: Pick<SessionRow, "limitUsd" | "summary" | "options">): number | undefined {
  const ofOptions = options?.["max_budget_usd"];
  const left = limitUsd && Math.max(limitUsd - summary.costUsd, LEAST_BUDGET_USD);
  const budgets = [left, ofOptions].filter((budget) => typeof budget === "number");
  return budgets.length === 0 ? undefined : Math.min(...budgets);
}
