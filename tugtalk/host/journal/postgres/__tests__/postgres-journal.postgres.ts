import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { SQL } from "bun";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import { PostgresServer } from "../../../../testing/drivers/postgres-server.ts";
import { journalCases, type OpenJournal } from "../../__tests__/support/journal-cases.ts";
import { entry, sessionRow } from "../../__tests__/support/samples.ts";
import { searchTests } from "../../__tests__/support/search-table.ts";
import { trimCases } from "../../__tests__/support/trim-cases.ts";
import { LostSessionError } from "../../journal-error.ts";
import { connect } from "../connection.ts";
import { PostgresJournal } from "../postgres-journal.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

const opened: SQL[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sql) => sql.close()));
});

const open: OpenJournal = async (options) => {
  const sql = await connect(await server.newDatabase());
  opened.push(sql);
  return new PostgresJournal({ sql }, { hostId: () => "host-1", ...options });
};

describe("a journal in PostgreSQL", () => journalCases(open));
describe("the search in PostgreSQL", () => searchTests(open));
describe("a journal in PostgreSQL of a session that has become too long", () => trimCases(open));

test("of commits in one statement, the one of a session which another host has taken writes nothing", async () => {
  const sql = await connect(await server.newDatabase());
  opened.push(sql);
  const [one, other] = ["one", "other"].map(
    (id) => new PostgresJournal({ sql }, { hostId: () => id }),
  );
  if (one === undefined || other === undefined) throw new Error("there are two");
  await one.create(sessionRow("lost"));
  await one.create(sessionRow("held"));
  await other.take("lost", "one");
  const [lost, held] = [
    failureOf(one.commit("lost", { entries: [entry("late")] })),
    one.commit("held", { entries: [entry("a"), entry("b")] }),
  ];
  expect(await lost).toBeInstanceOf(LostSessionError);
  expect((await held).map(({ seq }) => seq)).toEqual([1, 2]);
  expect((await one.load("lost"))?.cursor.seq).toBe(0);
  expect(await other.commit("lost", { entries: [entry("c")] })).toMatchObject([{ seq: 1 }]);
});
