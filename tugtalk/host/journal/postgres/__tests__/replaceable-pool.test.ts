/** How long a host waits for an answer of its database. */
import { expect, test } from "bun:test";
import { SQL } from "bun";
import { UnreachableJournalError } from "../../journal-error.ts";
import { columnsOf } from "../columns.ts";
import { answered, answerLimitMs, MAX_ANSWER_MS } from "../replaceable-pool.ts";

// The client connects with the first statement.
const sql = new SQL("postgres://nobody@127.0.0.1:1/none");

test("a statement that Bun's client neither answers nor fails ends, also where its connections were given up before", async () => {
  const given: SQL[] = [];
  const pool = { sql, giveUp: (one: SQL) => void given.push(one) };
  const waiting = answered(pool, () => new Promise<never>(() => {}), 1);
  expect(await waiting.catch(Object)).toBeInstanceOf(UnreachableJournalError);
  expect(given).toEqual([sql]);
});

const LONG = "x".repeat(64_000_000);

test.each([
  ["text", LONG],
  ["column of texts, as a commit has them", columnsOf(sql).texts(["short", LONG])],
])("64 MB in a %s may take two minutes more than a short statement", (_, value) => {
  expect(answerLimitMs(["id", 1, null])).toBeCloseTo(MAX_ANSWER_MS, -1);
  expect(answerLimitMs(["id", value])).toBeGreaterThanOrEqual(MAX_ANSWER_MS + 120_000);
});
