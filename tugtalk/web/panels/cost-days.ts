/** The costs of days, in words. Pure. */
import type { CostDay } from "../../client/host-api.ts";

const DAY_MS = 24 * 60 * 60_000;

/** As the host writes days: `2026-11-26`. */
export function dayName(at: number): string {
  // Sweden writes dates so.
  return new Date(at).toLocaleDateString("sv-SE");
}

/** The sum of the last `count` days, up to `today`. */
export function sumOfLatest(days: readonly CostDay[], count: number, today: string): number {
  const first = daysBefore(today, count - 1);
  return days.reduce((sum, { day, cost_usd }) => (day >= first ? sum + cost_usd : sum), 0);
}

/** `Today`, `Yesterday`, `Tue, Nov 24`; with the year where it is another one. */
export function dayLabel(day: string, today: string): string {
  if (day === today) return "Today";
  if (day === daysBefore(today, 1)) return "Yesterday";
  const isOfYear = day.slice(0, 4) === today.slice(0, 4);
  return new Date(day).toLocaleDateString(undefined, {
    timeZone: "UTC",
    month: "short",
    day: "numeric",
    ...(isOfYear ? { weekday: "short" } : { year: "numeric" }),
  });
}

/** By the calendar: a day may have 23 or 25 hours. */
function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);
}
