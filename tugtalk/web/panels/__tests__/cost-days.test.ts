/** The costs by day. */
import { expect, test } from "bun:test";
import type { CostDay } from "../../../client/host-api.ts";
import { dayLabel, dayName, sumOfLatest } from "../cost-days.ts";

const day = (name: string, cost_usd: number): CostDay => ({ day: name, cost_usd, sessions: [] });

test("so many days are those up to today, by the calendar", () => {
  const days = [day("2026-03-02", 1), day("2026-02-28", 2), day("2026-02-24", 4)];
  expect(sumOfLatest(days, 1, "2026-03-02")).toBe(1);
  expect(sumOfLatest(days, 1, "2026-03-03")).toBe(0);
  expect(sumOfLatest(days, 3, "2026-03-02")).toBe(3);
  expect(sumOfLatest(days, 7, "2026-03-02")).toBe(7);
  expect(sumOfLatest(days, 6, "2026-03-02")).toBe(3);
});

test("a day is named as one speaks of it, with the year where that is another one", () => {
  const label = (name: string) => dayLabel(name, "2026-01-02");
  expect(label("2026-01-02")).toBe("Today");
  expect(label("2026-01-01")).toBe("Yesterday");
  expect(label("2025-12-31")).toContain("2025");
  expect(dayLabel("2026-11-24", "2026-11-26")).toMatch(/24/);
  expect(dayLabel("2026-11-24", "2026-11-26")).not.toContain("2026");
});

test("a time has the day of who looks at it", () => {
  expect(dayName(new Date(2026, 10, 6, 0, 0).getTime())).toBe("2026-11-06");
  expect(dayName(new Date(2026, 10, 6, 23, 59).getTime())).toBe("2026-11-06");
});
