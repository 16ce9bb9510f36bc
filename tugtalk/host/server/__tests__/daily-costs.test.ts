/** The day of a cost in a time zone. */
import { describe, expect, test } from "bun:test";
import { isTimeZone } from "../../fields/host-fields.ts";
import { dailyCosts, earliestOf, firstDay } from "../daily-costs.ts";

const at = (time: string) => Date.parse(time);

test("the latest days end with today, as it is in the time zone", () => {
  const now = at("2026-03-30T22:30:00Z");
  expect(firstDay(now, 1, "UTC")).toBe("2026-03-30");
  expect(firstDay(now, 1, "Europe/Berlin")).toBe("2026-03-31");
  expect(firstDay(now, 1, "America/Los_Angeles")).toBe("2026-03-30");
  expect(firstDay(now, 31, "Europe/Berlin")).toBe("2026-03-01");
});

test("a day is one day back over a change of the clocks", () => {
  expect(firstDay(at("2026-03-29T22:15:00Z"), 2, "Europe/Berlin")).toBe("2026-03-29");
  expect(firstDay(at("2026-10-26T22:45:00Z"), 2, "Europe/Berlin")).toBe("2026-10-25");
});

describe("costs", () => {
  const rows = [
    { id: "a", at: at("2026-11-25T22:45:00Z"), usd: 1 },
    { id: "a", at: at("2026-11-25T23:00:00Z"), usd: 2 },
    { id: "b", at: at("2026-11-26T08:00:00Z"), usd: 8 },
    { at: at("2026-11-26T09:00:00Z"), usd: 4 },
    { at: at("2026-11-26T10:00:00Z"), usd: 0.5 },
  ];

  test("are sums without digits that binary fractions make up", () => {
    const thirds = [0.1, 0.2].map((usd) => ({ id: "a", at: at("2026-11-26T08:00:00Z"), usd }));
    expect(dailyCosts(thirds, "2026-11-26", "UTC").days).toEqual([
      { day: "2026-11-26", cost_usd: 0.3, sessions: [{ id: "a", cost_usd: 0.3 }] },
    ]);
  });

  test("are those of the days of the time zone, newest first, and of each session, the dearest first", () => {
    expect(dailyCosts(rows, "2026-11-25", "Europe/Berlin")).toEqual({
      time_zone: "Europe/Berlin",
      days: [
        {
          day: "2026-11-26",
          cost_usd: 14.5,
          sessions: [{ id: "b", cost_usd: 8 }, { cost_usd: 4.5 }, { id: "a", cost_usd: 2 }],
        },
        { day: "2026-11-25", cost_usd: 1, sessions: [{ id: "a", cost_usd: 1 }] },
      ],
    });
  });

  test("of days before the first one are left out", () => {
    const { days } = dailyCosts(rows, "2026-11-26", "UTC");
    expect(days.map(({ day, cost_usd }) => [day, cost_usd])).toEqual([["2026-11-26", 12.5]]);
  });
});

test.each(["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"])(
  "the costs that are read for a day begin no later than the day in %s",
  (zone) => {
    const day = "2026-11-26";
    const before = dailyCosts([{ at: earliestOf(day) - 1, usd: 1 }], day, zone);
    expect(before.days).toEqual([]);
  },
);

test("an invalid time zone is recognized", () => {
  expect(["Europe/Berlin", "UTC", "Asia/Kathmandu"].filter(isTimeZone)).toHaveLength(3);
  expect(["", "Mars/Olympus", "constructor"].filter(isTimeZone)).toEqual([]);
});
