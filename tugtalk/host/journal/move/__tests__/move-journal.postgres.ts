/** A whole journal from a file into a database, and back, on a real PostgreSQL. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { SQL } from "bun";
import { initialSession } from "../../../../client/reduce-session.ts";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import { PostgresServer } from "../../../../testing/drivers/postgres-server.ts";
import { entry, sessionRow, turn } from "../../__tests__/support/samples.ts";
import { temporaryPath } from "../../__tests__/support/temporary-path.ts";
import { openDatabase } from "../../database.ts";
import type { Journal, SessionRow } from "../../journal.ts";
import { JournalError } from "../../journal-error.ts";
import { connect } from "../../postgres/connection.ts";
import { PostgresJournal } from "../../postgres/postgres-journal.ts";
import { openJournal } from "../../sqlite-journal.ts";
import { exportJournal } from "../export-journal.ts";
import { importJournal } from "../import-journal.ts";

const QUARTER = 15 * 60_000;
const MACHINE = "box";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

const opened: SQL[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sql) => sql.close()));
});

async function newDatabase(): Promise<SQL> {
  const sql = await connect(await server.newDatabase());
  opened.push(sql);
  return sql;
}

const inDatabase = (sql: SQL) => new PostgresJournal({ sql }, { hostId: () => "host-1" });

/** Two sessions with all possible parts, a damaged session, and the costs of deleted ones. */
async function fill(journal: Journal): Promise<void> {
  for (const id of ["gone", "a", "b"])
    await journal.create({ ...sessionRow(id), requestId: `r-${id}` });
  await journal.commit("gone", { entries: [entry("gone")], cost: { at: QUARTER, usd: 4 } });
  await journal.delete("gone");
  for (const id of ["a", "b"]) {
    const text = {
      entry: "t1",
      item: "t1-1",
      kind: "text",
      text: `some words\0 of ${id}`,
    } as const;
    await journal.commit(id, {
      entries: Array.from({ length: 600 }, (_, index) =>
        entry(`${id} ${index} ${"x".repeat(4_000)}`),
      ),
      turns: ["t1", "t2"].map(turn),
      snapshot: { ...initialSession, title: `Snapshot of ${id}` },
      attached: new Map([
        ["m1", [{ filename: "notes.txt", media_type: "text/plain", content: "notes" }]],
      ]),
      replies: [{ clientId: "c1", hash: "h", body: { id } }],
      endedMessages: [
        { messageId: "m0", status: "taken" },
        { messageId: "m\0", status: "taken" },
      ],
      transcript: [{ file: "c.jsonl", added: { offset: 0, lines: ["one", "two"] } }],
      cost: { at: QUARTER, usd: 0.5 },
      texts: [
        { ...text, at: 5 },
        { ...text, item: "t1-2", at: 5 },
      ],
    });
    await journal.commit(id, { entries: [entry("last")] });
  }
  await journal.trust("local", "/work/project", ["grant"]);
  await journal.trust("box-2", "/srv", []);
}

/** All readable content of a journal. Of epochs, only whether they are the same. */
async function contents(journal: Journal, local: string) {
  const sessions = await journal.sessions();
  const read = sessions.map(async ({ id }) => {
    const start = (await journal.range(id)).start;
    const snapshot = await journal.snapshot(id);
    const loaded = await journal.load(id);
    expect(snapshot?.cursor.epoch).toBe(start.epoch);
    return {
      row: { ...loaded?.row, machine: undefined },
      attachments: loaded?.attachments,
      end: loaded?.cursor.seq,
      entries: await entriesOf(journal, id),
      snapshot: { state: snapshot?.state, seq: snapshot?.cursor.seq },
      turns: await journal.turnsBefore(id, undefined, 9),
      reply: await journal.reply(id, "c1"),
      messageEnd: await journal.messageEnd(id, "m0"),
      transcript: await journal.transcriptAfter(id, "c", undefined, 1_000),
    };
  });
  const { hits } = await journal.search({ text: "words", limit: 9 });
  return {
    sessions: await Promise.all(read),
    costs: await journal.costs(0),
    found: hits.map(({ session, item, at }) => `${session} ${item} ${at >= 5 && at < 9}`).sort(),
    trusted: [
      await journal.trustedGrants(local, "/work/project"),
      await journal.trustedGrants("box-2", "/srv"),
    ],
    request: (await journal.sessionOfRequest("r-a"))?.id,
  };
}

async function entriesOf(journal: Journal, id: string) {
  const entries: string[] = [];
  for (let after = (await journal.range(id)).start; ; ) {
    const page = await journal.entriesAfter(id, after, 1e6);
    const last = page === "gap" ? undefined : page.at(-1);
    if (page === "gap" || last === undefined) return entries;
    entries.push(...page.map(({ seq, type, data }) => `${seq} ${type} ${Bun.hash(data)}`));
    after = last;
  }
}

const importFile = async (file: string, sql: SQL, isUrgent = (_: SessionRow) => false) => {
  const db = openDatabase(file);
  try {
    return await importJournal({ db, sql, machine: MACHINE, now: 2_000, isUrgent });
  } finally {
    db.close();
  }
};

async function filledFile(): Promise<string> {
  const file = temporaryPath();
  const journal = openJournal(file, { now: () => 1_000 });
  await fill(journal);
  journal.close();
  return file;
}

test("all that a journal in a file has is in the database after it was moved, and in a file again after the way back", async () => {
  const file = await filledFile();
  const source = openJournal(file);
  const before = await contents(source, "local");
  source.close();
  expect(before.sessions.map(({ entries }) => entries.length)).toEqual([601, 601]);
  expect(before.found).toEqual(["a t1-1 true", "a t1-2 true", "b t1-1 true", "b t1-2 true"]);

  const sql = await newDatabase();
  expect(await importFile(file, sql)).toBe(2);
  const journal = inDatabase(sql);
  expect(await contents(journal, `local@${MACHINE}`)).toEqual(before);
  expect((await journal.load("a"))?.row.machine).toBe(MACHINE);
  expect((await journal.range("a")).start.epoch).toBe(2_000);

  const back = temporaryPath();
  expect(await exportJournal({ sql, file: back, machine: MACHINE, now: 3_000 })).toBe(2);
  expect(await journal.sessions()).toEqual([]);
  expect(await journal.costs(0)).toEqual([]);
  const target = openJournal(back);
  expect(await contents(target, "local")).toEqual(before);
  expect((await target.range("a")).start.epoch).toBe(3_000);
  const [next] = await target.commit("a", { entries: [entry("next")] });
  expect(next).toMatchObject({ epoch: 3_000, seq: 602 });
  await target.create(sessionRow("new"));
  target.close();
  expect(readdirSync(dirname(back)).filter((name) => name.includes("unfinished"))).toEqual([]);
});

test("a session that is moved can be taken and written in the database", async () => {
  const sql = await newDatabase();
  await importFile(await filledFile(), sql);
  const journal = inDatabase(sql);
  expect(await journal.take("a")).toMatchObject({ id: "a" });
  const [next] = await journal.commit("a", { entries: [entry("next")], turns: [turn("t3")] });
  expect(next).toMatchObject({ epoch: 2_000, seq: 602 });
  const { entries } = await journal.turnsBefore("a", undefined, 9);
  expect(entries.map(({ key }) => key)).toEqual(["t1", "t2", "t3"]);
});

test("a session that a killed host has left open belongs to a host that is gone, so that another one closes it", async () => {
  const sql = await newDatabase();
  await importFile(await filledFile(), sql, ({ id }) => id === "b");
  const rows = await sql<{ id: string }[]>`SELECT id FROM sessions WHERE host IS NOT NULL`;
  expect([...rows]).toEqual([{ id: "b" }]);
  expect(await inDatabase(sql).take("b")).toMatchObject({ id: "b" });
});

test.each([
  ["a session that is there already", { id: "b" }],
  ["a session of a request that was carried out there", { id: "c", requestId: "r-b" }],
])("%s refuses the whole move", async (_name, known) => {
  const sql = await newDatabase();
  const journal = inDatabase(sql);
  await journal.create({ ...sessionRow("x"), ...known });
  const error = await failureOf(importFile(await filledFile(), sql));
  expect(error).toBeInstanceOf(JournalError);
  expect(String(error)).toContain(`the database has the session ${known.id} already`);
  expect((await journal.sessions()).map(({ id }) => id)).toEqual([known.id]);
  expect(await journal.trustedGrants("box-2", "/srv")).toBeUndefined();
});

test("a session that a living host has, or a file that exists, refuses the way back, and nothing is left of it", async () => {
  const sql = await newDatabase();
  await importFile(await filledFile(), sql);
  const journal = inDatabase(sql);
  await journal.take("a");
  await sql`INSERT INTO hosts VALUES ('host-1', 'box-3', 77, '1', '[]', now(), now() + interval '1 hour')`;
  const file = temporaryPath();
  const move = () => exportJournal({ sql, file, machine: MACHINE, now: 3_000 });
  expect(String(await failureOf(move()))).toContain(
    "the host on box-3 (process 77) has the session a",
  );
  expect(readdirSync(dirname(file))).toEqual([]);
  await journal.release("a");
  await Bun.write(file, "notes");
  expect(String(await failureOf(move()))).toContain(`${file} exists already`);
  expect(await Bun.file(file).text()).toBe("notes");
  expect(await journal.sessions()).toHaveLength(2);
});

test("a row that the file cannot take leaves the database as it was, and no file", async () => {
  const sql = await newDatabase();
  await importFile(await filledFile(), sql);
  const [first] = await sql<
    { number: number }[]
  >`SELECT min(number)::float8 AS number FROM sessions`;
  await sql`ALTER TABLE entries DROP CONSTRAINT entries_pkey`;
  await sql`INSERT INTO entries SELECT ${first?.number ?? 0}, 1, 'twice', '{}', 1`;
  const file = temporaryPath();
  await failureOf(exportJournal({ sql, file, machine: MACHINE, now: 3_000 }));
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(dirname(file))).toEqual([]);
  expect(await inDatabase(sql).sessions()).toHaveLength(2);
});
