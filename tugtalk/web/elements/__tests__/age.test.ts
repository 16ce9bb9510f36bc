/** Ages in words. */
import { expect, test } from "bun:test";
import { formatAge } from "../age.tsx";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test("an age has its largest whole unit, and after a month it is a date", () => {
  const date = new Date(2026, 2, 12);
  const ages = [59_999, MINUTE_MS, 59.9 * MINUTE_MS, HOUR_MS, 23.9 * HOUR_MS, 24 * HOUR_MS];
  expect(ages.map((age) => formatAge(age, date))).toEqual([
    "just now",
    "1 min ago",
    "59 min ago",
    "1 h ago",
    "23 h ago",
    "1 day ago",
  ]);
  expect(formatAge(30 * 24 * HOUR_MS, date)).toBe("30 days ago");
  expect(formatAge(31 * 24 * HOUR_MS, date)).toContain("2026");
});
