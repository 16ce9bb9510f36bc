/** A search that takes long, on a real server. */
import { afterAll, expect, test } from "bun:test";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import { PostgresServer } from "../../../../testing/drivers/postgres-server.ts";
import { answerOf } from "../../../api/error-answer.ts";
import { connect } from "../connection.ts";
import { Searches } from "../postgres-search.ts";

const server = await PostgresServer.start();
const sql = await connect(await server.newDatabase());
afterAll(async () => {
  await sql.close();
  await server.stop();
});

const LIMIT_MS = 50;

const QUERY = { text: "anything", limit: 20 };
const NOTHING = { hits: [], isPartial: false };

/** The result of `work` while no text can be read. */
function whileLocked<Value>(work: () => Promise<Value>): Promise<Value> {
  return sql.begin(async (locking) => {
    await locking`LOCK TABLE texts IN ACCESS EXCLUSIVE MODE`;
    return work();
  });
}

test("a search that takes too long is ended and says so, and no connection is given up for it", async () => {
  const given: unknown[] = [];
  const giveUp = (one: unknown) => void given.push(one);
  const searches = new Searches({ sql, giveUp }, LIMIT_MS);
  const failure = await whileLocked(() => failureOf(searches.search(QUERY)));
  expect(answerOf(failure)).toMatchObject({ status: 503, body: { code: "search_too_slow" } });
  expect(given).toEqual([]);
  expect(await searches.search(QUERY)).toEqual(NOTHING);
});

test("many slow searches do not keep writes from the database", async () => {
  const searches = new Searches({ sql });
  const { searching } = await whileLocked(async () => {
    const searching = Array.from({ length: 20 }, () => searches.search(QUERY));
    await sql`UPDATE sessions SET epoch = epoch`;
    return { searching };
  });
  for (const found of await Promise.all(searching)) expect(found).toEqual(NOTHING);
});
