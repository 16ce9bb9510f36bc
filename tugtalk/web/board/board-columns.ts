/** What the columns of the board have, of all sessions or those that a person looks for. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";
import { COLUMNS, type Column, columnOf } from "../store/session-state.ts";

export const COLUMN_TITLES: Readonly<Record<Column, string>> = {
  "needs-you": "Needs you",
  working: "Working",
  idle: "Idle",
  ended: "Ended",
};

export type BoardColumn = { readonly column: Column; readonly sessions: readonly SessionInfo[] };

/**
 * Sessions that work keep their place, since they change all the time: newest first, as the host gives
 * them. The quiet ones are in the order of their last change.
 */
export function boardColumns(sessions: readonly SessionInfo[], filter: string): BoardColumn[] {
  const words = wordsOf(filter);
  const shown = Map.groupBy(
    sessions.filter((session) => fits(session, words)),
    columnOf,
  );
  return COLUMNS.map((column) => ({ column, sessions: ordered(column, shown.get(column) ?? []) }));
}

function ordered(column: Column, sessions: readonly SessionInfo[]): readonly SessionInfo[] {
  if (column === "working" || column === "needs-you") return sessions;
  return sessions.toSorted((one, other) => other.updated_at - one.updated_at);
}

function wordsOf(filter: string): readonly string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Whether each word is somewhere in what the card shows. */
function fits(session: SessionInfo, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { title, dir, place, model = "", last_text = "" } = session;
  const text = `${title}\n${dir}\n${place}\n${model}\n${last_text}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
