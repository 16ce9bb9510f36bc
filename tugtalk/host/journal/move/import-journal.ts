/** Moves all of a journal in a file into a database that hosts may share. */
import type { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import type { SQL } from "bun";
import { checkedRow } from "../damage.ts";
import type { SessionRow } from "../journal.ts";
import { DamagedSessionError, JournalError } from "../journal-error.ts";
import { tried } from "../postgres/postgres-reader.ts";
import { wordVector } from "../postgres/postgres-search.ts";
import { prepareStatements } from "../statements.ts";
import { indexPiece } from "../text-index.ts";
import { COSTS, type MovedRow, PARTS, SESSIONS, TEXTS, TRUST } from "./moved-tables.ts";
import { addPostgresRows } from "./postgres-rows.ts";
import { sqliteRows } from "./sqlite-rows.ts";

export type Import = {
  /** The swept database, which nobody else writes. */
  readonly db: Database;
  readonly sql: SQL;
  /** The machine on which the sessions of the place `local` run. */
  readonly machine: string;
  /** The least epoch: clients begin anew. */
  readonly now: number;
  /** Whether a host has to care for the session without being asked. */
  readonly isUrgent: (row: SessionRow) => boolean;
};

/** The new number of a session by its old one. */
type Numbers = ReadonlyMap<unknown, number>;

/**
 * Gives the number of sessions. Writes nothing if it rejects; a `JournalError` names a cause that people can
 * remove.
 */
export function importJournal(wanted: Import): Promise<number> {
  indexTurns(wanted.db);
  return tried(
    wanted.sql.begin(async (sql) => {
      const numbers = await importSessions({ ...wanted, sql });
      await importParts(wanted.db, sql, numbers);
      await importTexts(wanted.db, sql, numbers);
      await importTrust({ ...wanted, sql });
      // Last, since hosts look for rows that have changed since their last look.
      await sql`UPDATE sessions SET changed_at = clock_timestamp()
        WHERE number = ANY(${sql.array([...numbers.values()], "BIGINT")})`;
      return numbers.size;
    }),
  );
}

async function importSessions(wanted: Import): Promise<Numbers> {
  const { db, sql } = wanted;
  const { number: _, ...columns } = SESSIONS.columns;
  const table = { name: "sessions", columns: { ...columns, host: "text" as const } };
  // The id of a host that is gone: other hosts take over its sessions.
  const gone = randomUUID();
  const numbers = new Map<unknown, number>();
  for (const rows of sqliteRows(db, SESSIONS)) {
    await refuseKnown(sql, rows);
    const added = rows.map((row) => importedSession(row, wanted, gone));
    const returned = await addPostgresRows<{ id: string; number: number }>(
      sql,
      table,
      added,
      "RETURNING id, number::float8 AS number",
    );
    const byId = new Map(returned.map(({ id, number }) => [id, number]));
    for (const { id, number } of rows) numbers.set(number, byId.get(String(id)) ?? 0);
  }
  return numbers;
}

async function refuseKnown(sql: SQL, rows: readonly MovedRow[]): Promise<void> {
  const ids = sql.array(
    rows.map(({ id }) => String(id)),
    "TEXT",
  );
  const requests = sql.array(
    rows.map(({ request_id }) => String(request_id ?? "")),
    "TEXT",
  );
  const [known] = await sql<{ id: string }[]>`
    SELECT id FROM sessions WHERE id = ANY(${ids}) OR request_id = ANY(${requests}) LIMIT 1`;
  if (known !== undefined)
    throw new JournalError(`the database has the session ${known.id} already: nothing was moved`);
}

function importedSession(found: MovedRow, wanted: Import, gone: string): MovedRow {
  const epoch = Math.max(Number(found["epoch"]) + 1, wanted.now);
  const row = readRow(String(found["id"]), String(found["row"]));
  // A damaged session stays damaged.
  if (row === undefined) return { ...found, epoch, host: null };
  const host = wanted.isUrgent(row) ? gone : null;
  return { ...found, epoch, host, row: JSON.stringify(ofMachine(row, wanted.machine)) };
}

function readRow(id: string, text: string): SessionRow | undefined {
  try {
    return checkedRow(id, text);
  } catch (error) {
    if (error instanceof DamagedSessionError) return undefined;
    throw error;
  }
}

function ofMachine(row: SessionRow, machine: string): SessionRow {
  return row.place === "local" ? { machine, ...row } : row;
}

async function importParts(db: Database, sql: SQL, numbers: Numbers): Promise<void> {
  for (const table of PARTS)
    for (const rows of sqliteRows(db, table))
      await addPostgresRows(sql, table, renumbered(rows, numbers));
  const sum = "ON CONFLICT (slot, session) DO UPDATE SET usd = costs.usd + excluded.usd";
  const withDeleted = new Map(numbers).set(DELETED, DELETED);
  for (const rows of sqliteRows(db, COSTS))
    await addPostgresRows(sql, COSTS, renumbered(rows, withDeleted), sum);
}

/** The number of the session that has the costs of deleted sessions. */
const DELETED = -1;

/** Indexes the turns that a host without an index has left. */
function indexTurns(db: Database): void {
  const statements = prepareStatements(db);
  const indexNext = db.transaction(() => indexPiece(statements));
  try {
    while (indexNext()) {
      // `indexPiece` indexes the next piece.
    }
  } finally {
    statements.finalize();
  }
}

async function importTexts(db: Database, sql: SQL, numbers: Numbers): Promise<void> {
  const { number: _, ...columns } = TEXTS.columns;
  const table = {
    name: "texts",
    columns: { ...columns, at: "bigint", words: "tsvector" },
  } as const;
  for (const rows of sqliteRows(db, TEXTS)) await addTexts(sql, table, renumbered(rows, numbers));
}

async function addTexts(
  sql: SQL,
  table: Parameters<typeof addPostgresRows>[1],
  rows: readonly MovedRow[],
): Promise<void> {
  const texts = rows.map((row) => {
    // PostgreSQL has no text with this character.
    const text = String(row["text"]).replaceAll("\0", " ");
    return { ...row, text, at: row["number"] ?? null, words: wordVector(text) };
  });
  await addPostgresRows(sql, table, texts);
}

/** The rows with the new numbers of their sessions, without the rows of deleted sessions. */
function renumbered(rows: readonly MovedRow[], numbers: Numbers): readonly MovedRow[] {
  return rows.flatMap((row) => {
    const session = numbers.get(row["session"]);
    return session === undefined ? [] : [{ ...row, session }];
  });
}

/** The trust that the target has stays as it is. */
async function importTrust({ db, sql, machine }: Import): Promise<void> {
  for (const rows of sqliteRows(db, TRUST)) {
    const named = rows.map((row) =>
      row["place"] === "local" ? { ...row, place: `local@${machine}` } : row,
    );
    await addPostgresRows(sql, TRUST, named, "ON CONFLICT DO NOTHING");
  }
}
