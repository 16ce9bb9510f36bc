/** Stored sessions as a table for a terminal. Pure. */
import { showHidden } from "../../client/views/visible-text.ts";
import type { StoredSession } from "./stored-sessions.ts";

const HEADINGS = ["ID", "SIZE", "CHANGED", "STATE", "FOLDER", "TITLE"];

/** One row for each session, under headings; `now` in milliseconds since 1970. */
export function sessionTable(sessions: readonly StoredSession[], now: number): string {
  const rows = [HEADINGS, ...sessions.map((session) => cellsOf(session, now))];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return rows
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

function cellsOf(session: StoredSession, now: number) {
  const { id, bytes, updated_at, archived_at, place, dir, title } = session;
  const state = archived_at === undefined ? session.state : "archived";
  const folder = place === "local" ? dir : `${place}:${dir}`;
  const cells = [id, formatSize(bytes), formatAge(now - updated_at), state, folder, title];
  // The title comes from Claude or from anybody, and must not move the cursor.
  return cells.map((cell) => showHidden(cell.replaceAll(/\s+/g, " ")));
}

export function formatSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${units[power]}`;
}

export function formatAge(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
