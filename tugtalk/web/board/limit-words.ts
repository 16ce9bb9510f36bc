/** The limit of dollars of a session as a person types and reads it. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";
import { formatDollars } from "../elements/format-amount.ts";

/** `null`: no limit; undefined: that is no amount. */
export function typedLimit(text: string): number | null | undefined {
  const amount = text.trim().replace(/^\$/, "").replace(",", ".");
  if (amount === "") return null;
  const dollars = /^\d*\.?\d+$|^\d+\.$/.test(amount) ? Number(amount) : Number.NaN;
  return dollars > 0 ? dollars : undefined;
}

/** `$0.12`, or `$0.12 of $5.00`. */
export function costWords({
  cost_usd,
  limit_usd,
}: Pick<SessionInfo, "cost_usd" | "limit_usd">): string {
  const cost = formatDollars(cost_usd);
  return limit_usd === undefined ? cost : `${cost} of ${formatDollars(limit_usd)}`;
}
