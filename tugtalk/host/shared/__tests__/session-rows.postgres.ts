/** The rows of sessions that a host reads again, on a real server. */
import { afterAll, expect, test } from "bun:test";
import { PostgresServer } from "../../../testing/drivers/postgres-server.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import { connect, connectHost } from "../../journal/postgres/connection.ts";
import { PostgresJournal } from "../../journal/postgres/postgres-journal.ts";
import { SessionRows } from "../session-rows.ts";

const server = await PostgresServer.start();
const url = await server.newDatabase();
const { pool, leasePool } = await connectHost(url);
afterAll(async () => {
  await Promise.all([pool.close(), leasePool.close()]);
  await server.stop();
});

const journal = new PostgresJournal(pool, { hostId: () => "one" });
const told: string[] = [];
const rows = new SessionRows(journal, (id) => told.push(id));

/** The ids of the rows that have changed. */
async function changed(): Promise<readonly string[]> {
  told.length = 0;
  await rows.refresh();
  return [...told];
}

/** The change of an older host, which writes only the time of a change. */
const RENAME = `UPDATE sessions SET row = replace(row, '"Project"', '"New"'),
  changed_at = clock_timestamp() - interval '1 minute' WHERE id = $1`;

test("a row that was written a minute before it can be seen is read then, whatever was read meanwhile", async () => {
  for (const id of ["late", "early"]) await journal.create(sessionRow(id));
  expect(await changed()).toEqual(["late", "early"]);
  const writer = await pool.sql.reserve();
  await writer`BEGIN`;
  await writer.unsafe(RENAME, ["late"]);
  await pool.sql.unsafe(RENAME, ["early"]);
  expect(await changed()).toEqual(["early"]);
  await writer`COMMIT`;
  writer.release();
  expect(await changed()).toEqual(["late"]);
  expect(rows.get("late")?.row.title).toBe("New");
});

test("a transaction that is open elsewhere makes no look read the same rows again", async () => {
  let read = 0;
  const query: typeof journal.query = async (statement, values) => {
    const found = await journal.query<never>(statement, values);
    if (statement.includes("SELECT id, row")) read += found.length;
    return found;
  };
  const looking = new SessionRows({ query }, () => {});
  const other = await pool.sql.reserve();
  await other`BEGIN`;
  await other`SELECT pg_current_xact_id()`;
  await pool.sql.unsafe(RENAME, ["early"]);
  await looking.refresh();
  const first = read;
  await looking.refresh();
  expect([first > 0, read - first]).toEqual([true, 0]);
  await other`COMMIT`;
  other.release();
});

test("a session that was created in a long transaction is found when that ends", async () => {
  const writer = await pool.sql.reserve();
  await writer`BEGIN`;
  await writer`INSERT INTO sessions (id, row, epoch, changed_at)
    VALUES ('new', ${JSON.stringify(sessionRow("new"))}, 1, clock_timestamp() - interval '1 minute')`;
  expect(await changed()).toEqual([]);
  await writer`COMMIT`;
  writer.release();
  expect(await changed()).toEqual(["new"]);
});

async function changedIn(id: string): Promise<unknown> {
  const [row] = await pool.sql`SELECT changed_in::text AS at FROM sessions WHERE id = ${id}`;
  return row.at;
}

test("a commit counts as a change of the row only where it writes that", async () => {
  const before = await changedIn("early");
  await journal.commit("early", { entries: [{ type: "text_delta", data: "{}" }] });
  expect(await changedIn("early")).toBe(before);
  await journal.commit("early", { row: sessionRow("early") });
  expect(await changedIn("early")).not.toBe(before);
});

test("the rows of a database of the version before are read after its tables were changed", async () => {
  await pool.sql.unsafe(`DROP TRIGGER mark_change ON sessions; DROP FUNCTION mark_change;
    ALTER TABLE sessions DROP COLUMN changed_in; COMMENT ON SCHEMA tugtalk IS 'tugtalk journal 4'`);
  await (await connect(url)).close();
  const all: string[] = [];
  await new SessionRows(journal, (id) => all.push(id)).refresh();
  expect(all).toEqual(["late", "early", "new"]);
});
