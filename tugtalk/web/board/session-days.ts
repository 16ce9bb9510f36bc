/** The sessions of the sidebar, by the day on which something has happened in them. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";
import { isArchived } from "../store/session-state.ts";

const TITLES = ["Today", "Yesterday", "Last 7 days", "Older", "Archived"] as const;
const DAY_MS = 24 * 60 * 60_000;
/** How many sessions of a group are listed; all others are on the board. */
const SHOWN = 50;

export type SessionGroup = {
  readonly title: (typeof TITLES)[number];
  readonly sessions: readonly SessionInfo[];
};

/** The beginning of the day, as days are for who looks at it. */
export function dayOf(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/**
 * `today` is a `dayOf`, and `shown` is the session that is never left out. Today's sessions are in the order
 * of the host, so that none moves while it works. Archived sessions come last.
 */
export function sessionGroups(
  sessions: readonly SessionInfo[],
  today: number,
  shown: string | undefined,
): readonly SessionGroup[] {
  const timeOf = ({ archived_at, updated_at }: SessionInfo) =>
    Math.min(archived_at ?? updated_at, today);
  const sorted = sessions.toSorted((one, other) => timeOf(other) - timeOf(one));
  return TITLES.map((title, index) => ({
    title,
    sessions: sorted
      .filter((session) => index === (isArchived(session) ? 4 : groupOf(timeOf(session), today)))
      .filter(({ id }, at) => at < SHOWN || id === shown),
  })).filter((group) => group.sessions.length > 0);
}

/** Rounded, since a day may have 23 or 25 hours. */
function groupOf(at: number, today: number): number {
  const days = Math.round((today - dayOf(at)) / DAY_MS);
  if (days < 2) return days;
  return days <= 7 ? 2 : 3;
}
