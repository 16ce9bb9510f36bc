/** The cost of sessions on each day of a time zone. Pure. */
import type { CostDay, DailyCosts } from "../../client/host-api.ts";
import { roundUsd } from "../journal/costs.ts";
import type { CostRow } from "../journal/journal.ts";

const DAY_MS = 24 * 60 * 60_000;

/** The time zone of the host. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The first of this number of days, of which the last is today. */
export function firstDay(now: number, days: number, timeZone: string): string {
  const today = Date.parse(dayFormat(timeZone)(now));
  return new Date(today - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

/** The earliest time at which this day begins in any time zone. */
export function earliestOf(day: string): number {
  return Date.parse(day) - DAY_MS;
}

/** The costs from the day `first` on. */
export function dailyCosts(rows: readonly CostRow[], first: string, timeZone: string): DailyCosts {
  const dayOf = dayFormat(timeZone);
  const days = Map.groupBy(rows, ({ at }) => dayOf(at));
  const shown = [...days]
    .filter(([day]) => day >= first)
    .sort(([one], [other]) => (one < other ? 1 : -1));
  return { time_zone: timeZone, days: shown.map(([day, ofDay]) => costDay(day, ofDay)) };
}

function costDay(day: string, rows: readonly CostRow[]): CostDay {
  const sessions = [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
    ...(id !== undefined && { id }),
    cost_usd: sumOf(own),
  }));
  sessions.sort((one, other) => other.cost_usd - one.cost_usd);
  return { day, cost_usd: sumOf(rows), sessions };
}

function sumOf(rows: readonly CostRow[]): number {
  return roundUsd(rows.reduce((sum, { usd }) => sum + usd, 0));
}

/** Formats a time as `2026-11-26`. Formats the same time only once. */
function dayFormat(timeZone: string): (at: number) => string {
  // Swedish dates have this form.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  const known = new Map<number, string>();
  return (at) => {
    const day = known.get(at) ?? format.format(at);
    known.set(at, day);
    return day;
  };
}
