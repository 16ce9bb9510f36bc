/**
 * The places of the transcript: its entries, and the lists of items in them. The newest entries are
 * apart from the others, so that a delta copies neither.
 */

import type { ReducedSession } from "../reduced-session.ts";
import type { Interlude, TranscriptEntry, TranscriptItem, Turn } from "../transcript-models.ts";
import type { Scope } from "./handler.ts";
import { replaced } from "./lists.ts";

export type Items = readonly TranscriptItem[];

/** Where an entry is. */
export type EntryPosition = { readonly list: "entries" | "openEntries"; readonly index: number };

/** Where a list of items is. `agent`: the tool call of the subagent; undefined for the main conversation. */
export type ListPosition = EntryPosition & { readonly agent: string | undefined };

/** Where an item is. */
export type ItemPosition = ListPosition & { readonly item: number };

export function isOpenTurn(entry: TranscriptEntry): entry is Turn {
  return entry.kind === "turn" && entry.status === "running";
}

export function entryAt(
  state: ReducedSession,
  position: EntryPosition,
): TranscriptEntry | undefined {
  return state[position.list][position.index];
}

/** Changes one entry. */
export function changeEntry(
  state: ReducedSession,
  position: EntryPosition,
  change: (entry: TranscriptEntry) => TranscriptEntry,
): ReducedSession {
  const entry = entryAt(state, position);
  if (entry === undefined) return state;
  const changed = change(entry);
  if (changed === entry) return state;
  const entries = replaced(state[position.list], position.index, changed);
  return position.list === "entries" ? { ...state, entries } : { ...state, openEntries: entries };
}

/** Changes one list of items. */
export function changeList(
  state: ReducedSession,
  position: ListPosition,
  change: (items: Items) => Items,
): ReducedSession {
  return changeEntry(state, position, (entry) => changeItems(entry, position.agent, change));
}

/** Changes the items of the main conversation, or of one subagent, in an entry. */
export function changeItems(
  entry: TranscriptEntry,
  agent: string | undefined,
  change: (items: Items) => Items,
): TranscriptEntry {
  const items = itemsIn(entry, agent);
  const changed = change(items);
  if (changed === items) return entry;
  if (agent === undefined) return { ...entry, items: changed };
  return { ...entry, agents: { ...entry.agents, [agent]: changed } };
}

export function itemsIn(entry: TranscriptEntry, agent: string | undefined): Items {
  if (agent === undefined) return entry.items;
  return Object.hasOwn(entry.agents, agent) ? (entry.agents[agent] ?? []) : [];
}

export function itemAt(state: ReducedSession, position: ItemPosition): TranscriptItem | undefined {
  const entry = entryAt(state, position);
  return entry === undefined ? undefined : itemsIn(entry, position.agent)[position.item];
}

/** Changes one item. */
export function changeItem(
  state: ReducedSession,
  position: ItemPosition,
  change: (item: TranscriptItem) => TranscriptItem,
): ReducedSession {
  return changeList(state, position, (items) => {
    const item = items[position.item];
    return item === undefined ? items : replaced(items, position.item, change(item));
  });
}

/** The index of the item with this key, searched from the end; -1 if there is none. */
export function indexOfKey(items: Items, key: string): number {
  for (let index = items.length - 1; index >= 0; index -= 1)
    if (items[index]?.key === key) return index;
  return -1;
}

/** A key that was never used in this session. */
export function withNewKey(state: ReducedSession): readonly [ReducedSession, string] {
  const lastKey = state.lastKey + 1;
  return [{ ...state, lastKey }, `#${lastKey}`];
}

/** Appends an item. */
export function append(
  state: ReducedSession,
  position: ListPosition,
  item: TranscriptItem,
): ReducedSession {
  return changeList(state, position, (items) => [...items, item]);
}

/**
 * Adds an entry at the end. Entries before the oldest open turn do not stay among the open ones, so all
 * entries stay in the order of their beginnings.
 */
export function addEntry(state: ReducedSession, entry: TranscriptEntry): ReducedSession {
  const { entries, openEntries } = state;
  const firstOpen = openEntries.findIndex(isOpenTurn);
  const settled = firstOpen === -1 ? openEntries.length : firstOpen;
  return {
    ...state,
    entries: settled === 0 ? entries : [...entries, ...openEntries.slice(0, settled)],
    openEntries: [...openEntries.slice(settled), entry],
  };
}

/** The list for items of this scope. Between turns that is the open interlude, which is added if needed. */
export function listFor(
  state: ReducedSession,
  { turn_id, parent_tool_use_id: agent }: Scope,
): readonly [ReducedSession, ListPosition] {
  const ofAgent = agent === undefined ? undefined : positionOfAgent(state, agent);
  if (ofAgent !== undefined) return [state, { ...ofAgent, agent }];
  const ofTurn = turn_id === undefined ? undefined : positionOfTurn(state, turn_id);
  const newest = ofTurn ?? newestPosition(state);
  if (newest !== undefined) return withCall(state, { ...newest, agent });
  const [keyed, key] = withNewKey(state);
  const interlude: Interlude = { kind: "interlude", key, items: [], agents: {} };
  const added = addEntry(keyed, interlude);
  return withCall(added, { list: "openEntries", index: added.openEntries.length - 1, agent });
}

/** A subagent whose call was never seen gets one, so that its items can be found. */
function withCall(
  state: ReducedSession,
  position: ListPosition,
): readonly [ReducedSession, ListPosition] {
  const { agent } = position;
  if (agent === undefined) return [state, position];
  const call: TranscriptItem = { kind: "tool", key: agent, toolUseId: agent, status: "running" };
  return [append(state, { ...position, agent: undefined }, call), position];
}

/** The newest open turn, or the interlude after the last turn. */
function newestPosition({ openEntries }: ReducedSession): EntryPosition | undefined {
  const turn = openEntries.findLastIndex(isOpenTurn);
  const last = openEntries.length - 1;
  const index = turn === -1 && openEntries[last]?.kind === "interlude" ? last : turn;
  return index === -1 ? undefined : { list: "openEntries", index };
}

/** The entry of a turn. */
export function positionOfTurn(state: ReducedSession, turnId: string): EntryPosition | undefined {
  return newestWhere(state, (entry) => entry.kind === "turn" && entry.turnId === turnId);
}

/** The entry in which a subagent was started. */
function positionOfAgent(state: ReducedSession, agent: string): EntryPosition | undefined {
  return (
    newestWhere(state, ({ agents }) => Object.hasOwn(agents, agent)) ??
    newestWhere(state, (entry) => findIn(entry, agent) !== undefined)
  );
}

/**
 * The item with this key: in the entry of its agent or turn if it is there, otherwise in the newest entry that
 * has it.
 */
export function findItem(
  state: ReducedSession,
  key: string,
  { turn_id, parent_tool_use_id: agent }: Scope = {},
): ItemPosition | undefined {
  const likely =
    agent !== undefined
      ? newestWhere(state, ({ agents }) => Object.hasOwn(agents, agent))
      : turn_id !== undefined
        ? positionOfTurn(state, turn_id)
        : undefined;
  const position = likely === undefined ? undefined : findAt(state, likely, key);
  if (position !== undefined) return position;
  const elsewhere = newestWhere(state, (entry) => findIn(entry, key) !== undefined);
  return elsewhere === undefined ? undefined : findAt(state, elsewhere, key);
}

function findAt(
  state: ReducedSession,
  position: EntryPosition,
  key: string,
): ItemPosition | undefined {
  const entry = entryAt(state, position);
  const found = entry === undefined ? undefined : findIn(entry, key);
  return found === undefined ? undefined : { ...position, ...found };
}

function findIn(
  entry: TranscriptEntry,
  key: string,
): { readonly agent: string | undefined; readonly item: number } | undefined {
  const item = indexOfKey(entry.items, key);
  if (item !== -1) return { agent: undefined, item };
  for (const agent of Object.keys(entry.agents)) {
    const nested = indexOfKey(itemsIn(entry, agent), key);
    if (nested !== -1) return { agent, item: nested };
  }
  return undefined;
}

/** The newest entry that passes. */
export function newestWhere(
  { entries, openEntries }: ReducedSession,
  isWanted: (entry: TranscriptEntry) => boolean,
): EntryPosition | undefined {
  const open = openEntries.findLastIndex(isWanted);
  if (open !== -1) return { list: "openEntries", index: open };
  const index = entries.findLastIndex(isWanted);
  return index === -1 ? undefined : { list: "entries", index };
}
