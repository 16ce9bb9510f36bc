/**
 * The tables that are moved between a journal in a file and a journal in a database. The texts of the search
 * and the trust are moved apart from these.
 */

export type Value = string | number | null;
export type MovedRow = Readonly<Record<string, Value>>;

/** Columns that both journals have. */
export type MovedTable = {
  readonly name: string;
  readonly columns: Readonly<Record<string, "text" | "bigint" | "float8" | "tsvector">>;
  /** The columns whose values, taken together, are unique. */
  readonly key: readonly string[];
  /** The column that may have long values. */
  readonly bulk?: string;
};

/** The most that is held in memory at a time. */
export const BATCH = { rows: 500, chars: 1024 * 1024 };

export const SESSIONS: MovedTable = {
  name: "sessions",
  columns: {
    number: "bigint",
    id: "text",
    request_id: "text",
    row: "text",
    epoch: "bigint",
    seq: "bigint",
    start_seq: "bigint",
    bytes: "bigint",
    start_bytes: "bigint",
    turn: "bigint",
    start_turn: "bigint",
    turn_bytes: "bigint",
    start_turn_bytes: "bigint",
  },
  key: ["number"],
  bulk: "row",
};

/** The tables of the parts of sessions, each row with the number of its session. */
export const PARTS: readonly MovedTable[] = [
  {
    name: "entries",
    columns: { session: "bigint", seq: "bigint", type: "text", data: "text", total: "bigint" },
    key: ["session", "seq"],
    bulk: "data",
  },
  {
    name: "turns",
    columns: { session: "bigint", turn: "bigint", key: "text", data: "text", total: "bigint" },
    key: ["session", "turn"],
    bulk: "data",
  },
  {
    name: "snapshots",
    columns: { session: "bigint", seq: "bigint", state: "text" },
    key: ["session"],
    bulk: "state",
  },
  {
    name: "attached",
    columns: { session: "bigint", message_id: "text", data: "text" },
    key: ["session", "message_id"],
    bulk: "data",
  },
  {
    name: "message_ends",
    columns: { session: "bigint", message_id: "text", status: "text" },
    key: ["session", "message_id"],
  },
  {
    name: "replies",
    columns: { session: "bigint", client_id: "text", row: "text" },
    key: ["session", "client_id"],
    bulk: "row",
  },
  {
    name: "transcript_lines",
    columns: { session: "bigint", file: "text", start: "bigint", line: "text" },
    key: ["session", "file", "start"],
    bulk: "line",
  },
];

/** The costs of deleted sessions have the number -1. */
export const COSTS: MovedTable = {
  name: "costs",
  columns: { slot: "bigint", session: "bigint", usd: "float8" },
  key: ["slot", "session"],
};

/** The texts that can be searched. In the file, the number is also the time. */
export const TEXTS = {
  name: "texts",
  columns: {
    number: "bigint",
    session: "bigint",
    entry: "text",
    item: "text",
    kind: "text",
    text: "text",
  },
  key: ["number"],
  bulk: "text",
} as const satisfies MovedTable;

export const TRUST: MovedTable = {
  name: "trusted_dirs",
  columns: { place: "text", dir: "text", grants: "text" },
  key: ["place", "dir"],
};
