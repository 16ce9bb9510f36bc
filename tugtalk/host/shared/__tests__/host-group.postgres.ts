/** The end of a host that shares a database, on a real server. */
import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { PostgresServer } from "../../../testing/drivers/postgres-server.ts";
import { LineGate } from "../../bridges/line-gate.ts";
import { connectHost } from "../../journal/postgres/connection.ts";
import { HostGroup } from "../host-group.ts";
import { SharedHosts } from "./support/shared-hosts.ts";

const server = await PostgresServer.start();
const connections = await connectHost(await server.newDatabase());
afterAll(async () => {
  await Promise.all([connections.pool.close(), connections.leasePool.close()]);
  await server.stop();
});

test("a host ends also while its database does not answer a look, and others may have its sessions", async () => {
  const looking = Promise.withResolvers<void>();
  const lease = { leaseMs: 600, bridgeEndMs: 0 };
  const group = new HostGroup(connections, {
    host: { machine: "here", version: "0", places: [], gate: new LineGate(), lease },
    onRing: () => {},
    onOver: () => {},
    onReach: () => {},
    look: () => {
      looking.resolve();
      return new Promise(() => {});
    },
  });
  await group.begin();
  await looking.promise;
  await group.end();
  expect(await connections.pool.sql`SELECT id FROM hosts`).toHaveLength(0);
});

test("a host whose database refuses its lease goes away, and its log says why", async () => {
  const hosts = await SharedHosts.open();
  try {
    const sql = new SQL(hosts.url, { max: 1 });
    const host = await hosts.start();
    const board = await host.events("/api/events");
    await sql.unsafe("ALTER TABLE tugtalk.hosts RENAME TO others");
    await board.next("database_away");
    await sql.unsafe("ALTER TABLE tugtalk.others RENAME TO hosts");
    await board.next("database_back");
    board.close();
    await host.stop();
    expect(await host.stderr).toContain('relation "hosts" does not exist');
    await sql.close();
  } finally {
    await hosts.end();
  }
});
