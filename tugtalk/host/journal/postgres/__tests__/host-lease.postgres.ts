/** The lease of a host, on a real server that it cannot always reach. */
import { afterAll, expect, test } from "bun:test";
import type { SQL } from "bun";
import { BreakingProxy } from "../../../../testing/drivers/breaking-proxy.ts";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import { PostgresServer } from "../../../../testing/drivers/postgres-server.ts";
import { sessionRow } from "../../__tests__/support/samples.ts";
import { UnreachableJournalError } from "../../journal-error.ts";
import { connectHost } from "../connection.ts";
import { HostLease } from "../host-lease.ts";
import { PostgresJournal } from "../postgres-journal.ts";

const server = await PostgresServer.start();
const proxy = await BreakingProxy.open(server.port);
afterAll(async () => {
  proxy.close();
  await server.stop();
});

async function openLease(leaseMs: number, onSilence: (replace: () => void) => void) {
  const url = await server.newDatabase();
  const connections = await connectHost(url.replace(`:${server.port}/`, `:${proxy.port}/`));
  const { pool, leasePool } = connections;
  const over = Promise.withResolvers<number>();
  const reached: boolean[] = [];
  const extended: number[] = [];
  const reachedAgain = Promise.withResolvers<void>();
  const host = { id: "one", machine: "here", version: "0", places: [] };
  const lease: HostLease = new HostLease(
    leasePool,
    host,
    { leaseMs, bridgeEndMs: 0 },
    {
      onExtended: (goneAt) => void extended.push(goneAt),
      onOver: () => over.resolve(performance.now()),
      onReached: (isReached) => {
        if (isReached && reached.at(-1) === false) reachedAgain.resolve();
        reached.push(isReached);
      },
      onSilence: () => onSilence(() => leasePool.replace()),
    },
  );
  const end = async () => {
    await lease.end();
    await Promise.all([pool.close(), leasePool.close()]);
  };
  return {
    lease,
    extended,
    pool,
    leasePool,
    over: over.promise,
    reachedAgain: reachedAgain.promise,
    end,
  };
}

test("a host counts itself as gone no later than the others do", async () => {
  const { lease, extended, pool, end } = await openLease(60_000, () => {});
  const before = performance.now();
  await lease.begin();
  const [row] = await pool.sql<{ left: number }[]>`
    SELECT extract(epoch FROM gone_at - clock_timestamp())::float8 * 1000 AS left FROM hosts`;
  expect(extended).toHaveLength(1);
  expect(extended[0]).toBeGreaterThanOrEqual(before + 60_000);
  expect(extended[0]).toBeLessThan(performance.now() + Number(row?.left));
  await end();
});

test("a lease that is over stays so, also where a renewal is answered after that", async () => {
  const { lease, leasePool, over, end } = await openLease(600, () => {});
  await lease.begin();
  expect(lease.isValid).toBe(true);
  proxy.freeze();
  await over;
  proxy.thaw();
  // With one connection, answers come in the order of the questions.
  await leasePool.sql`SELECT 1`;
  expect(lease.isValid).toBe(false);
  await end();
});

test("a lease that is granted only when it is over ends at once, and the runtime warns of nothing", async () => {
  const warnings: unknown[] = [];
  const hear = (warning: unknown) => void warnings.push(warning);
  process.on("warning", hear);
  const { lease, over, end } = await openLease(1, () => {});
  const begun = lease.begin();
  const late = performance.now() + 2;
  while (performance.now() < late);
  await begun;
  expect(lease.isValid).toBe(false);
  await over;
  process.off("warning", hear);
  expect(warnings).toEqual([]);
  await end();
});

test("a frozen connection is replaced, and the lease renewed on another one before it is over", async () => {
  const replaced = Promise.withResolvers<number>();
  const { lease, leasePool, reachedAgain, end } = await openLease(4_000, (replace) => {
    replace();
    replaced.resolve(performance.now());
  });
  const beganAt = performance.now();
  await lease.begin();
  const held = leasePool.sql;
  proxy.freeze("open");
  expect((await replaced.promise) - beganAt).toBeWithin(1_900, 3_300);
  expect(leasePool.sql).not.toBe(held);
  expect(lease.isValid).toBe(true);
  await reachedAgain;
  expect(lease.leftMs).toBeGreaterThan(3_000);
  proxy.thaw();
  await end();
});

test("statements that are under way on a replaced connection fail as those of a lost one", async () => {
  const { pool, end } = await openLease(600, () => {});
  await pool.sql`SELECT 1`;
  proxy.freeze();
  const failure = pool.sql`SELECT 2`.then(
    () => "answered",
    (error: unknown) => Object(error).code,
  );
  pool.replace();
  expect(await failure).toBe("ERR_POSTGRES_CONNECTION_CLOSED");
  proxy.thaw();
  const [row] = await pool.sql`SELECT 3 AS three`;
  expect(row).toEqual({ three: 3 });
  await end();
});

test("a host that ends is there for the others until each Claude on a place must be gone", async () => {
  const { lease, pool, end } = await openLease(60_000, () => {});
  await lease.begin();
  const journal = new PostgresJournal(pool, { hostId: () => "one" });
  const row = sessionRow("there");
  await journal.create({ ...row, bridge: { pid: 1, at: 1, lingerMs: 1 } });
  await lease.end();
  expect(await pool.sql`SELECT id FROM hosts`).toHaveLength(1);
  await journal.commit(row.id, { row });
  await lease.end();
  expect(await pool.sql`SELECT id FROM hosts`).toHaveLength(0);
  await end();
});

test("a lease whose statement the client of the database never ends is given up, and can be asked for again", async () => {
  const sql = { unsafe: () => new Promise(() => {}) } as unknown as SQL;
  const host = { id: "one", machine: "here", version: "0", places: [] };
  const ports = { onExtended() {}, onOver() {}, onReached() {}, onSilence() {} };
  const lease = new HostLease({ sql, giveUp() {} }, host, { leaseMs: 400, bridgeEndMs: 0 }, ports);
  expect(await failureOf(lease.begin())).toBeInstanceOf(UnreachableJournalError);
});
