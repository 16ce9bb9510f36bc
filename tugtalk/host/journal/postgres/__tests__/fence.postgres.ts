/** Writes to a session that a host has lost, on a real server. */
import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { initialSession } from "../../../../client/reduce-session.ts";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import { PostgresServer } from "../../../../testing/drivers/postgres-server.ts";
import { entry, sessionRow } from "../../__tests__/support/samples.ts";
import { LostSessionError } from "../../journal-error.ts";
import { connectHost } from "../connection.ts";
import { commitValues } from "../postgres-commit.ts";
import { PostgresJournal } from "../postgres-journal.ts";
import { COMMIT } from "../postgres-statements.ts";

const server = await PostgresServer.start();
const url = await server.newDatabase();
const { pool, leasePool } = await connectHost(url);
afterAll(async () => {
  await Promise.all([pool.close(), leasePool.close()]);
  await server.stop();
});

const openAs = (host: string) => new PostgresJournal(pool, { hostId: () => host });

test("a commit without entries that comes late, after the next one, undoes nothing", async () => {
  const journal = openAs("one");
  const row = sessionRow("late");
  await journal.create(row);
  const renamed = { row: { ...row, title: "First" } };
  await journal.commit(row.id, renamed);
  await journal.commit(row.id, { row: { ...row, title: "Second" } });
  const late = [...commitValues(pool.sql, row.id, renamed, 0), 1, 0];
  expect(await journal.query(COMMIT, late)).toEqual([]);
  expect((await journal.load(row.id))?.row.title).toBe("Second");
  await journal.commit(row.id, { entries: [entry("a")] });
  expect((await journal.load(row.id))?.cursor.seq).toBe(1);
});

test("a host whose session another one has taken writes nothing, and learns that it has lost it", async () => {
  const [one, other] = [openAs("one"), openAs("other")];
  const row = sessionRow("taken");
  await one.create(row);
  // No host is alive.
  expect(await other.take(row.id)).toEqual(row);
  expect(await failureOf(one.commit(row.id, { entries: [entry("a")] }))).toBeInstanceOf(
    LostSessionError,
  );
  expect(one.holds(row.id)).toBe(false);
  await other.commit(row.id, { entries: [entry("b")] });
  expect((await one.load(row.id))?.cursor.seq).toBe(1);
});

test("a commit that waits while its host loses the session and takes it anew is refused, and the next one is written", async () => {
  const journal = openAs("one");
  const row = sessionRow("anew");
  const busy = sessionRow("busy");
  await journal.create(row);
  await journal.create(busy);
  const locked = Promise.withResolvers<void>();
  const unlock = Promise.withResolvers<void>();
  const lock = pool.sql.begin(async (transaction) => {
    await transaction`SELECT 1 FROM sessions WHERE id = ${busy.id} FOR UPDATE`;
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  const held = journal.commit(busy.id, { entries: [entry("first")] });
  // The busy session's statement is on its way once another connection has answered.
  await journal.range(busy.id);
  const late = failureOf(journal.commit(row.id, { entries: [entry("late")] }));
  journal.giveUp(row.id);
  await journal.take(row.id);
  const next = journal.commit(row.id, { entries: [entry("next")] });
  await journal.range(row.id);
  unlock.resolve();
  await Promise.all([lock, held]);
  expect(await late).toBeInstanceOf(LostSessionError);
  expect((await next).map(({ data, seq }) => [data, seq])).toEqual([[entry("next").data, 1]]);
  expect(journal.holds(row.id)).toBe(true);
  expect(await journal.commit(row.id, { entries: [entry("b")] })).toMatchObject([{ seq: 2 }]);
});

test("a host whose session another one has taken cuts nothing out of it, however long it is", async () => {
  const one = new PostgresJournal(pool, { hostId: () => "one", maxSessionBytes: 100 });
  const row = sessionRow("long");
  await one.create(row);
  await one.commit(row.id, { entries: [entry("x".repeat(200))], snapshot: initialSession });
  const start = (await one.range(row.id)).start;
  await openAs("other").take(row.id);
  expect(await failureOf(one.commit(row.id, { entries: [entry("late")] }))).toBeInstanceOf(
    LostSessionError,
  );
  expect((await openAs("other").range(row.id)).start).toEqual(start);
});

test("a session that was taken for a lease that is over by then is not held", async () => {
  let host = "one";
  const journal = new PostgresJournal(pool, { hostId: () => host });
  const row = sessionRow("over");
  await journal.create(row);
  await journal.release(row.id);
  const taken = journal.take(row.id);
  host = "another";
  expect(await taken).toBeUndefined();
  expect(journal.holds(row.id)).toBe(false);
});

test("a commit that the server has interrupted is written again", async () => {
  const journal = openAs("one");
  const row = sessionRow("interrupted");
  await journal.create(row);
  const other = await pool.sql.reserve();
  await other`BEGIN`;
  await other`SELECT 1 FROM sessions WHERE id = ${row.id} FOR UPDATE`;
  const written = journal.commit(row.id, { entries: [entry("a")] });
  const cancelled = async () =>
    (
      await pool.sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND application_name = 'tugtalk'`
    ).length > 0;
  while (!(await cancelled())) await Bun.sleep(5);
  await other`ROLLBACK`;
  other.release();
  expect(await written).toMatchObject([{ seq: 1 }]);
});

test.each([
  ["loses the right to write", "REVOKE INSERT ON entries FROM role", "for this role"],
  ["may not use the schema any more", "REVOKE USAGE ON SCHEMA tugtalk FROM role", "for this role"],
  ["may not log in", "ALTER ROLE role NOLOGIN", "with this user and password"],
])(
  "a commit waits until its role has its rights again, and its host learns the reason, where that role %s",
  async (_, statement, reason) => {
    const role = `role_${crypto.randomUUID().replaceAll("-", "")}`;
    const grant = `GRANT USAGE ON SCHEMA tugtalk TO ${role};
    GRANT ALL ON ALL TABLES IN SCHEMA tugtalk TO ${role}; ALTER ROLE ${role} LOGIN`;
    await pool.sql.unsafe(`CREATE ROLE ${role}; ${grant}`);
    const own = new SQL(url.replace("//tugtalk@", `//${role}@`), {
      connection: { search_path: "tugtalk" },
    });
    const told = Promise.withResolvers<unknown>();
    const options = { hostId: () => "one", onHeldUp: told.resolve };
    const journal = new PostgresJournal({ sql: own }, options);
    const row = sessionRow(role);
    await journal.create(row);
    await pool.sql.unsafe(statement.replace(/\brole\b/, role));
    await pool.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${role}`;
    const written = journal.commit(row.id, { entries: [entry("a")] });
    expect(String(await told.promise)).toContain(reason);
    await pool.sql.unsafe(grant);
    expect(await written).toMatchObject([{ seq: 1 }]);
    await own.close();
  },
);
