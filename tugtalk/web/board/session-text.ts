/** Parts of a session as a person reads and types them. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { formatDollars } from "../elements/format-amount.ts";

/** The last two names of a path. */
export function shortDir(dir: string): string {
  const names = showHidden(dir)
    .split("/")
    .filter((name) => name !== "");
  return names.length === 0 ? showHidden(dir) : names.slice(-2).join("/");
}

/** Markdown on one line, without its most usual signs. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^\s*(?:#{1,6}\s+|[-*>]\s+|```.*$)/gm, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** `null`: no limit; undefined: that is no amount. */
export function typedLimit(text: string): number | null | undefined {
  const amount = text.trim().replace(/^\$/, "").replace(",", ".");
  if (amount === "") return null;
  const dollars = /^\d*\.?\d+$|^\d+\.$/.test(amount) ? Number(amount) : Number.NaN;
  return dollars > 0 ? dollars : undefined;
}

/** `$0.12`, or `$0.12 of $5.00`. */
export function costText({
  cost_usd,
  limit_usd,
}: Pick<SessionInfo, "cost_usd" | "limit_usd">): string {
  const cost = formatDollars(cost_usd);
  return limit_usd === undefined ? cost : `${cost} of ${formatDollars(limit_usd)}`;
}
