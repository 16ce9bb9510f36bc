/** Connections that the network has frozen while others are well, on a real server. */
import { afterAll, expect, test } from "bun:test";
import { BreakingProxy } from "../../../../testing/drivers/breaking-proxy.ts";
import { ClaimedServer } from "../../../../testing/drivers/claimed-server.ts";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import { PostgresServer } from "../../../../testing/drivers/postgres-server.ts";
import { sessionRow } from "../../__tests__/support/samples.ts";
import { UnreachableJournalError } from "../../journal-error.ts";
import { Bells } from "../bells.ts";
import { connect, connectHost } from "../connection.ts";
import { PostgresJournal } from "../postgres-journal.ts";
import { answered } from "../replaceable-pool.ts";
import { shortTransaction } from "../short-transaction.ts";

const LIMIT_MS = 300;

const server = await PostgresServer.start();
const proxy = await BreakingProxy.open(server.port);
const url = await server.newDatabase();
const { pool, leasePool } = await connectHost(url.replace(`:${server.port}/`, `:${proxy.port}/`));
const other = await connectHost(url);
afterAll(async () => {
  proxy.thaw();
  await Promise.all([pool, leasePool, other.pool, other.leasePool].map((one) => one.close()));
  proxy.close();
  await server.stop();
});

test("a statement without an answer fails as on a lost connection, and the next one goes by another", async () => {
  proxy.freeze("open");
  const failure = answered(pool, (sql) => sql`SELECT 1`, LIMIT_MS).catch(Object);
  expect(await failure).toBeInstanceOf(UnreachableJournalError);
  expect([...(await answered(pool, (sql) => sql`SELECT 2 AS two`))]).toEqual([{ two: 2 }]);
});

test("a transaction on a frozen connection is taken back, and a commit to its session goes on", async () => {
  const journal = new PostgresJournal(other.pool, { hostId: () => "one" });
  await journal.create(sessionRow("held"));
  const isLocked = Promise.withResolvers<void>();
  const holding = shortTransaction(
    pool.sql,
    async (transaction) => {
      await transaction`SELECT 1 FROM sessions WHERE id = 'held' FOR UPDATE`;
      proxy.freeze("open");
      isLocked.resolve();
      await transaction`SELECT 1`;
    },
    LIMIT_MS,
  ).catch(Object);
  await isLocked.promise;
  await journal.commit("held", { row: { ...sessionRow("held"), title: "New" } });
  expect((await journal.load("held"))?.row.title).toBe("New");
  pool.replace();
  expect(await holding).toBeInstanceOf(Error);
});

test("a server that takes a role in and then says nothing is given up", async () => {
  const silent = new ClaimedServer();
  const failure = await connect(silent.url, LIMIT_MS).catch(Object);
  expect(failure).toEqual(
    new UnreachableJournalError("the database of the host cannot be reached"),
  );
  silent.stop();
});

test("whoever listens by a connection that is frozen ends all the same", async () => {
  const bells = new Bells(pool, () => {}, LIMIT_MS);
  await bells.listen();
  proxy.freeze();
  await bells.end();
  await failureOf(answered(pool, (sql) => sql`SELECT 1`, LIMIT_MS));
  proxy.thaw();
});

test("a host that does not hear its own bell listens by another connection", async () => {
  let heard = Promise.withResolvers<readonly string[]>();
  const bells = new Bells(pool, (names) => heard.resolve(names), LIMIT_MS);
  await bells.listen();
  proxy.freeze("open");
  const { sql } = pool;
  bells.ring("lost");
  while (pool.sql === sql) await Bun.sleep(5);
  heard = Promise.withResolvers<readonly string[]>();
  await bells.listen();
  bells.ring("found");
  expect(await heard.promise).toEqual(["found"]);
  await bells.end();
});
