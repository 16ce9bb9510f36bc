/** A damaged row of the shared database affects its session alone, at every host, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import type { EventReader } from "../../../testing/drivers/host-clients.ts";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
const sql = new SQL(hosts.url, { max: 1 });
const [one, other] = await Promise.all([hosts.start(), hosts.start()]);
afterAll(async () => {
  await sql.close();
  await hosts.end();
});

/** A session without a host whose row is no JSON, which the hosts have read. */
async function damagedSession(board: EventReader) {
  const host = await hosts.start();
  const session = await host.createSession();
  await session.finishTurn("before the damage");
  await host.stop();
  await sql`UPDATE tugtalk.sessions SET row = '{"id": "', changed_at = clock_timestamp() WHERE id = ${session.id}`;
  await board.next(({ data }) => data["id"] === session.id && data["state"] === "failed");
  return session;
}

test("a session with a damaged row is reported as damaged, read as far as it can be, and deleted by the host that takes it", async () => {
  const board = await one.events("/api/events");
  const damaged = at(one, await damagedSession(board));
  for (const [command, fields] of [
    ["session", {}],
    ["message", { message: "x" }],
    ["move", { place: "local" }],
  ] as const)
    expect(await damaged.run(command, fields), command).toMatchObject({
      status: 500,
      body: { code: "session_damaged" },
    });
  expect(JSON.stringify((await damaged.run("export")).body)).toContain("before the damage");
  expect(await damaged.run("delete")).toMatchObject({ status: 200 });
  expect(await damaged.run("session")).toMatchObject({ status: 404 });
  board.close();
});

test("a session with a damaged row that a host holds is deleted through another one, and read at both until then", async () => {
  const board = await one.events("/api/events");
  const damaged = await damagedSession(board);
  await sql`UPDATE tugtalk.sessions SET fence = fence + 1, changed_at = clock_timestamp(),
    host = (SELECT id FROM tugtalk.hosts WHERE pid = ${one.pid}) WHERE id = ${damaged.id}`;
  for (const host of [one, other])
    expect(await at(host, damaged).run("export")).toMatchObject({ status: 200 });
  expect(await at(other, damaged).run("delete")).toMatchObject({ status: 200 });
  await board.next(({ type, data }) => type === "session_deleted" && data["id"] === damaged.id);
  board.close();
});
