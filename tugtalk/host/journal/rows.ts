/** The rows of the tables, and their meaning. JSON in them is ours, in the version of the schema. */
import type { Cursor } from "../../client/host-api.ts";
import type { JournalEntry, JournalRange } from "./journal.ts";

/** The beginning and the end of a session's journal. */
export type Head = {
  readonly number: number;
  readonly row: string;
  readonly epoch: number;
  readonly seq: number;
  readonly start_seq: number;
  readonly bytes: number;
  readonly start_bytes: number;
  readonly turn: number;
  readonly start_turn: number;
  readonly turn_bytes: number;
  readonly start_turn_bytes: number;
};

export type EntryRow = { readonly seq: number; readonly type: string; readonly data: string };
export type TurnRow = { readonly turn: number; readonly key: string; readonly data: string };

/** A value that was written by `JSON.stringify` with the same type. */
export function fromJson<Value>(text: string): Value {
  return JSON.parse(text);
}

export function endOf({ epoch, seq }: Head): Cursor {
  return { epoch, seq };
}

export function rangeOf(head: Head): JournalRange {
  return { start: { epoch: head.epoch, seq: head.start_seq }, end: endOf(head) };
}

/** How many bytes of a session count for its limit. */
export function keptBytes(head: Omit<Head, "row">): number {
  return head.bytes - head.start_bytes + head.turn_bytes - head.start_turn_bytes;
}

/** Whether the journal lacks some of the entries after the cursor. */
export function isGap(
  { epoch, seq, start_seq }: Pick<Head, "epoch" | "seq" | "start_seq">,
  after: Cursor,
): boolean {
  return after.epoch !== epoch || after.seq < start_seq || after.seq > seq;
}

export function toEntry(
  { epoch }: Pick<Head, "epoch">,
  { seq, type, data }: EntryRow,
): JournalEntry {
  // Older hosts wrote hyphens in the names of events, and events for the bridge's prompt messages.
  if (!type.includes("-")) return { epoch, seq, type, data };
  if (OLD_PROMPT_EVENT.test(type)) return { epoch, seq, type: "session_changed", data: "{}" };
  return { epoch, seq, type: type.replaceAll("-", "_"), data };
}

const OLD_PROMPT_EVENT = /^approval-|-requested$/;

export function entryBytes({ type, data }: Pick<JournalEntry, "type" | "data">): number {
  return type.length + Buffer.byteLength(data);
}
