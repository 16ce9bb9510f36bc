/** Commands for sessions of other hosts as rows, on a real server. */
import { afterAll, expect, test } from "bun:test";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import { PostgresServer } from "../../../../testing/drivers/postgres-server.ts";
import { sessionRow } from "../../__tests__/support/samples.ts";
import { Calls, MAX_WAIT_MS } from "../calls.ts";
import { connectHost } from "../connection.ts";
import { PostgresJournal } from "../postgres-journal.ts";

const server = await PostgresServer.start();
const { pool, leasePool } = await connectHost(await server.newDatabase());
afterAll(async () => {
  await Promise.all([pool.close(), leasePool.close()]);
  await server.stop();
});

const journal = new PostgresJournal(pool, { hostId: () => "holder" });
const calls = new Calls(journal);
const session = "held";
await journal.create(sessionRow(session));

async function takenIds(): Promise<readonly string[]> {
  return (await calls.takeFor("holder")).map(({ id }) => id);
}

test("commands are taken in the order in which they were asked, and again until they are answered", async () => {
  const asked = ["b", "a"];
  for (const id of asked) await calls.ask({ id, session, call: "{}" });
  expect(await takenIds()).toEqual(asked);
  await calls.answer("b", "{}");
  expect(await takenIds()).toEqual(["a"]);
  await calls.answer("a", "{}");
  expect(await takenIds()).toEqual([]);
});

test("a command that is withdrawn before it arrives is not taken", async () => {
  expect(await calls.withdraw("late", session)).toEqual({ isTaken: false });
  await failureOf(calls.ask({ id: "late", session, call: "{}" }));
  expect(await takenIds()).toEqual([]);
});

test("a command that was taken and not answered is not taken by the next host once it is withdrawn", async () => {
  await calls.ask({ id: "begun", session, call: "{}" });
  expect(await takenIds()).toEqual(["begun"]);
  expect(await calls.withdraw("begun", session)).toEqual({ isTaken: true });
  expect(await takenIds()).toEqual([]);
});

test("a command that was answered is withdrawn with its answer", async () => {
  await calls.ask({ id: "answered", session, call: "{}" });
  await takenIds();
  await calls.answer("answered", '{"value":1}');
  const withdrawn = { isTaken: true, reply: '{"value":1}' };
  expect(await calls.withdraw("answered", session)).toEqual(withdrawn);
});

test("a command that nobody can wait for any more is not taken, also where its host could not withdraw it", async () => {
  await calls.ask({ id: "old", session, call: "{}" });
  await pool.sql`UPDATE calls SET asked_at = asked_at - ${MAX_WAIT_MS} * interval '1 ms' WHERE id = 'old'`;
  expect(await takenIds()).toEqual([]);
  expect(await calls.ofNobody()).toEqual([]);
});
