/** Parts of a session as a person reads and types them. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";
import { formatDollars } from "../elements/format-amount.ts";
import { formatTime } from "../elements/format-time.ts";

/** `null`: no limit; undefined: that is no amount. */
export function typedLimit(text: string): number | null | undefined {
  const amount = text.trim().replace(/^\$/, "").replace(",", ".");
  if (amount === "") return null;
  const dollars = /^\d*\.?\d+$|^\d+\.$/.test(amount) ? Number(amount) : Number.NaN;
  return dollars > 0 ? dollars : undefined;
}

/** When a session goes on by itself; in milliseconds since 1970. */
export function goesOnText(at: number): string {
  return `Goes on at ${formatTime(new Date(at), new Date())}`;
}

/** `$0.12`, or `$0.12 of $5.00`. */
export function costText({
  cost_usd,
  limit_usd,
}: Pick<SessionInfo, "cost_usd" | "limit_usd">): string {
  const cost = formatDollars(cost_usd);
  return limit_usd === undefined ? cost : `${cost} of ${formatDollars(limit_usd)}`;
}
