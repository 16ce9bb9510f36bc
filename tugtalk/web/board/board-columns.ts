/** The columns of the board, with all sessions or the sessions that a person looks for. Pure. */
import type { SessionInfo } from "../../client/host-api.ts";
import { COLUMNS, type Column, columnOf } from "../store/session-state.ts";

export const COLUMN_TITLES: Readonly<Record<Column, string>> = {
  "needs-you": "Needs you",
  working: "Working",
  idle: "Idle",
  asleep: "Asleep",
};

export type BoardColumn = { readonly column: Column; readonly sessions: readonly SessionInfo[] };

/** The sessions of the board: in its columns, and the archived ones, the latest first. */
export type BoardParts = {
  readonly columns: readonly BoardColumn[];
  readonly archived: readonly SessionInfo[];
};

/**
 * Sessions that work keep their place, since they change all the time: newest first, as the host gives
 * them. The quiet ones are in the order of their last change.
 */
export function boardParts(sessions: readonly SessionInfo[], filter: string): BoardParts {
  const words = wordsOf(filter);
  const shown = Map.groupBy(
    sessions.filter((session) => fits(session, words)),
    columnOf,
  );
  return {
    columns: COLUMNS.map((column) => ({
      column,
      sessions: ordered(column, shown.get(column) ?? []),
    })),
    archived: latestFirst(shown.get("archived") ?? [], ({ archived_at = 0 }) => archived_at),
  };
}

function ordered(column: Column, sessions: readonly SessionInfo[]): readonly SessionInfo[] {
  if (column === "working" || column === "needs-you") return sessions;
  return latestFirst(sessions, ({ updated_at }) => updated_at);
}

function latestFirst(
  sessions: readonly SessionInfo[],
  timeOf: (session: SessionInfo) => number,
): readonly SessionInfo[] {
  return sessions.toSorted((one, other) => timeOf(other) - timeOf(one));
}

function wordsOf(filter: string): readonly string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Whether each word is somewhere in the texts of the card. */
function fits(session: SessionInfo, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { title, dir, place, model = "", last_text = "" } = session;
  const text = `${title}\n${dir}\n${place}\n${model}\n${last_text}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
