/** Pages of the transcript: the latest turns, and older entries, which are put in front. */

import { allItems } from "./agent-items.ts";
import type { ReducedSession } from "./reduced-session.ts";
import { markOlder } from "./rewound-entries.ts";
import { isRunning } from "./task-status.ts";
import type { TranscriptEntry } from "./transcript-models.ts";

/** Consecutive entries, oldest first, and the cursor for those before them, if there are any. */
export type EntryPage = {
  readonly entries: readonly TranscriptEntry[];
  readonly before?: string;
};

/**
 * The state with only the latest `turns` turns, at least 1, and every entry from the oldest one on that
 * has an open turn or a running agent. `before` is then the cursor for the others.
 */
export function latestEntries(state: ReducedSession, turns: number): ReducedSession {
  const firstOpen = state.entries.findIndex((entry) => hasRunningAgent(state, entry));
  const first = firstOfLatest(state, Math.max(turns, 1));
  const dropped = firstOpen === -1 ? first : Math.min(first, firstOpen);
  if (dropped === 0) return state;
  const entries = state.entries.slice(dropped);
  const before = (entries[0] ?? state.openEntries[0])?.key;
  return { ...state, entries, ...(before !== undefined && { before }) };
}

/** Where among the finished entries the latest turns begin, the open ones counted. */
function firstOfLatest({ entries, openEntries }: ReducedSession, turns: number): number {
  let missing = turns - openEntries.filter(({ kind }) => kind === "turn").length;
  for (let index = entries.length; index > 0; index -= 1) {
    if (missing <= 0) return index;
    if (entries[index - 1]?.kind === "turn") missing -= 1;
  }
  return 0;
}

function hasRunningAgent({ backgroundTasks }: ReducedSession, entry: TranscriptEntry): boolean {
  return backgroundTasks.some((task) => {
    const { toolUseId, subagentType } = task;
    if (toolUseId === undefined || subagentType === undefined || !isRunning(task)) return false;
    return Object.hasOwn(entry.agents, toolUseId) || hasItem(entry, toolUseId);
  });
}

function hasItem(entry: TranscriptEntry, wanted: string): boolean {
  return allItems(entry).some(({ key }) => key === wanted);
}

/** At most `limit` entries before the entry with the key `before`; undefined if there is none with it. */
export function entriesBefore(
  state: ReducedSession,
  before: string,
  limit: number,
): EntryPage | undefined {
  const all = [...state.entries, ...state.openEntries];
  const end = all.findIndex(({ key }) => key === before);
  if (end === -1) return undefined;
  const start = Math.max(end - limit, 0);
  const first = start === 0 ? state.before : all[start]?.key;
  return { entries: all.slice(start, end), ...(first !== undefined && { before: first }) };
}

/**
 * The state with older entries in front, and the cursor of their page. Entries that are there already are
 * left out, so a repeated page changes nothing but the cursor.
 */
export function prependEntries(state: ReducedSession, page: EntryPage): ReducedSession {
  const { before: _before, ...rest } = state;
  const known = new Set([...state.entries, ...state.openEntries].map(({ key }) => key));
  const older = page.entries.filter(({ key }) => !known.has(key));
  const cursor = page.before === undefined ? {} : { before: page.before };
  if (older.length === 0) return page.before === state.before ? state : { ...rest, ...cursor };
  return { ...rest, ...cursor, entries: [...markOlder(older, state), ...state.entries] };
}
