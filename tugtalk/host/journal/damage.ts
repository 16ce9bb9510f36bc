/**
 * Damage to the file: the rows of a session, or one of its entries, cannot be read. The errors that are
 * thrown while a row is read distinguish damage from other failures. Pure.
 */
import { SQLiteError } from "bun:sqlite";
import { z } from "zod";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import { isJsonObject, parseJson } from "../../src/base/json.ts";
import type { JournalEntry, SessionRow } from "./journal.ts";
import { DamagedSessionError } from "./journal-error.ts";
import { type EntryRow, type TurnRow, toEntry } from "./rows.ts";

/** The columns that the host uses unchecked. The other fields are absent, or as the host has written them. */
const Row = z.looseObject({
  id: z.string(),
  place: z.string(),
  dir: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  summary: z.looseObject({
    state: z.string(),
    pending: z.number(),
    queued: z.number(),
    costUsd: z.number(),
  }),
});

const State = z.looseObject({
  status: z.string(),
  applied: z.looseObject({}),
  entries: z.array(z.looseObject({})),
  openEntries: z.array(z.looseObject({})),
  queue: z.array(z.looseObject({})),
});

/** Throws a `DamagedSessionError` if the text is not the row of this session. */
export function checkedRow(id: string, text: string): SessionRow {
  const row: unknown = parseJson(text);
  if (isRow(row) && row.id === id) return row;
  throw new DamagedSessionError(id);
}

function isRow(value: unknown): value is SessionRow {
  return Row.safeParse(value).success;
}

/** A time of a row that may be damaged; 1 where it has none. */
export function rowNumber(text: string, name: "createdAt" | "updatedAt"): number {
  const row = parseJson(text);
  const value = isJsonObject(row) ? row[name] : undefined;
  return typeof value === "number" ? value : 1;
}

/** Whether a value can be the state of a session. */
export function isState(value: unknown): value is ReducedSession {
  return State.safeParse(value).success;
}

/** Runs `read`, which reads rows of this session. Throws a `DamagedSessionError` where one is damaged. */
export function readOf<Value>(id: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw isDamage(error) ? new DamagedSessionError(id, error) : error;
  }
}

function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? "");
}

/** One row that cannot be read must not hide the others. */
export function listedRow(id: string, row: () => SessionRow): SessionRow {
  try {
    return row();
  } catch (error) {
    if (error instanceof DamagedSessionError) return damagedRow(id);
    throw error;
  }
}

/** The row of a session that cannot be read, for a list. */
function damagedRow(id: string): SessionRow {
  const lastError = new DamagedSessionError(id).message;
  return {
    id,
    place: "local",
    dir: "",
    title: "Damaged session",
    createdAt: 0,
    updatedAt: 0,
    isDamaged: true,
    summary: { state: "failed", pending: 0, queued: 0, costUsd: 0, lastError },
  };
}

const LOST = "This part of the session is damaged in the journal; a backup may have it";

/** An entry that clients can read. An error takes the place of a damaged entry. */
export function readableEntry(entry: EntryRow): EntryRow {
  if (isJsonObject(parseJson(entry.data))) return entry;
  const data = { error: LOST, code: "entry_damaged" };
  return { seq: entry.seq, type: "host_error", data: JSON.stringify(data) };
}

/** The first entries of these rows, at least one, until they have more than `maxChars`. */
export function entriesUpTo(
  head: Parameters<typeof toEntry>[0],
  rows: Iterable<EntryRow>,
  maxChars: number,
): readonly JournalEntry[] {
  const entries: JournalEntry[] = [];
  let chars = 0;
  for (const row of rows) {
    chars += row.data.length;
    if (entries.length > 0 && chars > maxChars) break;
    entries.push(toEntry(head, readableEntry(row)));
  }
  return entries;
}

/** A turn, or a notice in the place of a damaged one. */
export function readableTurn({ key, data }: TurnRow): TranscriptEntry {
  const turn: unknown = parseJson(data);
  if (isTurn(turn)) return turn;
  const notice = { kind: "text", level: "error", text: LOST } as const;
  const items = [{ kind: "notice", key: `${key}-damaged`, notice }] as const;
  return { kind: "interlude", key, items, agents: {} };
}

const TurnShape = z.looseObject({
  kind: z.enum(["turn", "interlude"]),
  key: z.string(),
  items: z.array(z.looseObject({ kind: z.string(), key: z.string() })),
  agents: z.record(z.string(), z.array(z.unknown())),
});

function isTurn(value: unknown): value is TranscriptEntry {
  return TurnShape.safeParse(value).success;
}
