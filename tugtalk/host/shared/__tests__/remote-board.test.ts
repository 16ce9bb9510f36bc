/** The frames of a board about the sessions of other hosts. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import type { Frame } from "../../api/frame.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { RemoteBoard } from "../remote-board.ts";

const ROW = sessionRow("s");

test("a change that the database has not given is reported with the next one", async () => {
  const journal = openJournal(":memory:");
  await journal.create(ROW);
  const asked: (readonly unknown[])[] = [];
  const failures = [new Error("away")];
  const query = async <Row>(
    _statement: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> => {
    asked.push(values);
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
    return [];
  };
  const board = new RemoteBoard(Object.assign(journal, { query }), () => {});
  const known = { row: ROW, host: "other" };
  await board.changed({ ...known, seq: 1 });
  expect(await failureOf(board.changed({ ...known, seq: 2 }))).toEqual(new Error("away"));
  await board.changed({ ...known, seq: 3 });
  expect(asked).toEqual([
    ["s", 1, 2],
    ["s", 1, 3],
  ]);
  journal.close();
});

test("a message in a session of another host is reported without its state being read", async () => {
  const journal = openJournal(":memory:");
  await journal.create(ROW);
  const read: string[] = [];
  const told: Frame[] = [];
  const query = async <Row>(): Promise<Row[]> => found as Row[];
  const found = [{ type: "message_sent", data: '{"message_id":"m"}' }];
  const watched = Object.assign(journal, {
    query,
    snapshot: async (id: string) => void read.push(id),
  });
  const board = new RemoteBoard(watched, (frame) => told.push(frame));
  await board.changed({ row: ROW, host: "other", seq: 1 });
  await board.changed({ row: ROW, host: "other", seq: 2 });
  expect(told.map(({ session, type }) => [session, type])).toEqual([["s", "message-sent"]]);
  expect(read).toEqual([]);
  journal.close();
});
