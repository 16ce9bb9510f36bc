/** The list beside a session, by day. */
import { expect, test } from "bun:test";
import type { SessionInfo } from "../../../client/host-api.ts";
import { sampleSession } from "../../store/__tests__/support/session-sample.ts";
import { dayOf, sessionGroups } from "../session-days.ts";

/** A time in the time zone of the reader. */
const at = (day: number, hour = 12) => new Date(2026, 2, day, hour).getTime();
const NOW = at(31);

function listed(sessions: readonly SessionInfo[], shown?: string): Record<string, string[]> {
  const groups = sessionGroups(sessions, dayOf(NOW), shown);
  return Object.fromEntries(groups.map((one) => [one.title, one.sessions.map(({ id }) => id)]));
}

test("sessions are in the day of their last change, as days of the calendar", () => {
  const days: readonly (readonly [string, number])[] = [
    ["morning", at(31, 0)],
    ["late", at(30, 23)],
    ["early", at(30, 0)],
    ["two days", at(29, 23)],
    ["a week", at(24, 0)],
    ["more", at(23, 23)],
  ];
  const sessions = days.map(([id, updated_at]) => sampleSession({ id, updated_at }));
  expect(listed(sessions)).toEqual({
    Today: ["morning"],
    Yesterday: ["late", "early"],
    "Last 7 days": ["two days", "a week"],
    Older: ["more"],
  });
});

test("those of today stay in the order of the host, and the others are in the order of their last change", () => {
  const sessions = [
    sampleSession({ id: "new", updated_at: at(31, 9) }),
    sampleSession({ id: "older", updated_at: at(30, 9) }),
    sampleSession({ id: "working", state: "running", updated_at: at(31, 11) }),
    sampleSession({ id: "newer", updated_at: at(30, 10) }),
  ];
  expect(listed(sessions)).toEqual({ Today: ["new", "working"], Yesterday: ["newer", "older"] });
});

test("archived sessions are apart, in whatever state they were", () => {
  const archived_at = at(31);
  const sessions = [
    sampleSession({ id: "away", updated_at: NOW, queued: 1, state: "exited", archived_at }),
    sampleSession({ id: "here", updated_at: NOW }),
  ];
  expect(listed(sessions)).toEqual({ Today: ["here"], Archived: ["away"] });
});

test("of very many sessions the latest are listed, and the one that is shown", () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    sampleSession({ id: `old-${index}`, state: "exited", updated_at: at(1) - index }),
  );
  const { Older: older = [] } = listed(many, "old-59");
  expect(older).toHaveLength(51);
  expect([older[0], older[49], older[50]]).toEqual(["old-0", "old-49", "old-59"]);
});
