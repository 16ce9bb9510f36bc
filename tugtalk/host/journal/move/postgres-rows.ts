/** The rows of a journal in a database, in batches. */
import type { SQL } from "bun";
import { storable } from "../postgres/columns.ts";
import { BATCH, type MovedRow, type MovedTable } from "./moved-tables.ts";

/** All rows, in the order of their key. */
export async function* postgresRows<Row extends MovedRow = MovedRow>(
  sql: SQL,
  table: MovedTable,
): AsyncGenerator<readonly Row[]> {
  let page: readonly Row[] = await sql.unsafe<Row[]>(pageOf(table, false));
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    const after = table.key.map((name) => last?.[name] ?? null);
    page = await sql.unsafe<Row[]>(pageOf(table, true), after);
  }
}

/** The next rows after the row whose key has the values `$1` and on. At least one, if there is any. */
function pageOf({ name, columns, key, bulk }: MovedTable, isLater: boolean): string {
  const order = key.join(", ");
  const values = key.map((column, index) => `$${index + 1}::${columns[column]}`).join(", ");
  const size = bulk === undefined ? "0" : `octet_length(${bulk})`;
  return `SELECT ${Object.entries(columns).map(asNumber).join(", ")} FROM (
      SELECT *, sum(${size}) OVER (ORDER BY ${order}) - ${size} AS size_before FROM (
        SELECT * FROM ${name} ${isLater ? `WHERE (${order}) > (${values})` : ""}
        ORDER BY ${order} LIMIT ${BATCH.rows}
      ) AS page
    ) AS sized WHERE size_before < ${BATCH.chars} ORDER BY ${order}`;
}

/** Numbers come as numbers: none is beyond 2⁵³. */
function asNumber([name, type]: readonly [string, string]): string {
  return type === "bigint" ? `${name}::float8 AS ${name}` : name;
}

type Columns = Pick<MovedTable, "name" | "columns">;

/** Adds the rows; `further` ends the statement. */
export async function addPostgresRows<Returned>(
  sql: SQL,
  { name, columns }: Columns,
  rows: readonly MovedRow[],
  further = "",
): Promise<readonly Returned[]> {
  const names = Object.keys(columns);
  const lists = Object.values(columns).map((type, index) => `$${index + 1}::text[]::${type}[]`);
  const values = names.map((column) =>
    sql.array(
      rows.map((row) => textOf(row[column])),
      "TEXT",
    ),
  );
  return sql.unsafe<Returned[]>(
    `INSERT INTO ${name} (${names.join(", ")}) SELECT * FROM unnest(${lists.join(", ")}) ${further}`,
    values,
  );
}

function textOf(value: MovedRow[string] | undefined): string | null {
  return value === null || value === undefined ? null : storable(String(value));
}
