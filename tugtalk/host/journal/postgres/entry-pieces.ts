/** Reads pieces of journals. One statement reads the pieces of many sessions. */
import type { SQL } from "bun";
import type { Cursor } from "../../../client/host-api.ts";
import { entriesUpTo } from "../damage.ts";
import type { JournalEntry } from "../journal.ts";
import { type Head, isGap } from "../rows.ts";
import { columnsOf } from "./columns.ts";
import { Gathered } from "./gathered.ts";

/** Entries that follow each other. */
export type EntryPiece = {
  readonly entries: readonly JournalEntry[];
  /** No further entry existed at the time of the read. */
  readonly isLast: boolean;
};

export type AskedPiece = {
  readonly id: string;
  readonly after: Cursor;
  readonly maxChars: number;
};

export type FoundEntry = Pick<Head, "epoch" | "seq" | "start_seq"> & {
  /** The position of the request in the statement, from 1 on. */
  readonly place: number;
  /** Null where the session has no entry after the cursor. */
  readonly entry: number | null;
  readonly type: string;
  readonly data: string;
};

export type EntryPieces = Gathered<AskedPiece, EntryPiece | "gap">;

/** `read` gives the rows of `ENTRIES_AFTER`. */
export function gatherEntryPieces(
  read: (asked: readonly AskedPiece[]) => Promise<readonly FoundEntry[]>,
): EntryPieces {
  return new Gathered<AskedPiece, EntryPiece | "gap">({
    charsOf: ({ maxChars }) => maxChars,
    send: async (asked) => {
      const found = Map.groupBy(await read(asked), ({ place }) => place);
      const rows = new Map(asked.map((one, at) => [one, found.get(at + 1) ?? []]));
      return (one) => pieceOf(one, rows.get(one) ?? []);
    },
  });
}

function pieceOf({ after, maxChars }: AskedPiece, rows: readonly FoundEntry[]): EntryPiece | "gap" {
  const [head] = rows;
  if (head === undefined || isGap(head, after)) return "gap";
  const found = rows.flatMap(({ entry: seq, ...row }) => (seq === null ? [] : [{ ...row, seq }]));
  const entries = entriesUpTo(head, found, maxChars);
  return { entries, isLast: (entries.at(-1)?.seq ?? after.seq) === head.seq };
}

/** The values of `ENTRIES_AFTER`. */
export function askedValues(sql: SQL, asked: readonly AskedPiece[]): readonly unknown[] {
  const { texts, numbers } = columnsOf(sql);
  return [
    texts(asked.map(({ id }) => id)),
    numbers(asked.map(({ after }) => after.seq)),
    numbers(asked.map(({ maxChars }) => maxChars)),
  ];
}
