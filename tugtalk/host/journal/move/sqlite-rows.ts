/** The rows of a journal in a file, in batches. */
import type { Database } from "bun:sqlite";
import { BATCH, type MovedRow, type MovedTable } from "./moved-tables.ts";

export function* sqliteRows(
  db: Database,
  { name, columns, key, bulk }: MovedTable,
): Generator<readonly MovedRow[]> {
  const statement = db.prepare<MovedRow, []>(
    `SELECT ${Object.keys(columns).join(", ")} FROM ${name} ORDER BY ${key.join(", ")}`,
  );
  try {
    yield* batches(statement.iterate(), bulk);
  } finally {
    statement.finalize();
  }
}

function* batches(rows: Iterable<MovedRow>, bulk: string | undefined) {
  let batch: MovedRow[] = [];
  let chars = 0;
  for (const row of rows) {
    batch.push(row);
    if (bulk !== undefined) chars += String(row[bulk]).length;
    if (batch.length < BATCH.rows && chars < BATCH.chars) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The further columns of a row in a file: where the journal of its session ended. */
const FURTHER: Readonly<Record<string, string>> = {
  replies: "(SELECT seq FROM sessions WHERE number = $session) AS seq",
};

/** Adds the rows: all, or none. */
export function addSqliteRows(
  db: Database,
  { name, columns }: MovedTable,
  rows: readonly MovedRow[],
): void {
  const names = Object.keys(columns);
  const further = FURTHER[name];
  const values = [
    ...names.map((column) => `$${column}`),
    ...(further === undefined ? [] : [further]),
  ];
  const all = further === undefined ? names : [...names, "seq"];
  const statement = db.prepare(
    `INSERT INTO ${name} (${all.join(", ")}) SELECT ${values.join(", ")}`,
  );
  try {
    db.transaction(() => {
      for (const row of rows) statement.run(row);
    })();
  } finally {
    statement.finalize();
  }
}
