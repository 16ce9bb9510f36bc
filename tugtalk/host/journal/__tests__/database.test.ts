import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { JournalError, JournalLockedError } from "../journal-error.ts";
import { openJournal } from "../sqlite-journal.ts";
import { asOfVersion3 } from "./support/old-journal.ts";
import { entry, sessionRow } from "./support/samples.ts";
import { temporaryPath } from "./support/temporary-path.ts";

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("a new journal has pages that hold most rows whole, and can give its space back", async () => {
  const path = temporaryPath();
  openJournal(path).close();
  const db = new Database(path);
  expect(db.query("PRAGMA page_size").get()).toEqual({ page_size: 8192 });
  expect(db.query("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
  db.close();
});

test("a journal that others could read is made private when it is opened", async () => {
  const path = temporaryPath();
  openJournal(path).close();
  chmodSync(path, 0o644);
  openJournal(path).close();
  expect(modeOf(path)).toBe("600");
});

test("a second host is refused for as long as the first one has the journal", async () => {
  const path = temporaryPath();
  const first = openJournal(path);
  expect(() => openJournal(path)).toThrow(JournalLockedError);
  first.close();
  openJournal(path).close();
});

test("another process is refused, too", async () => {
  const path = temporaryPath();
  const first = openJournal(path);
  const module = join(import.meta.dir, "..", "sqlite-journal.ts");
  const script = `try { (await import(${JSON.stringify(module)})).openJournal(${JSON.stringify(path)}) }
    catch (error) { console.log(error.name, error.message) }`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script]);
  expect(stdout.toString()).toBe(
    `JournalLockedError the journal ${path} is open in another host: database is locked\n`,
  );
  first.close();
});

test("folders that were trusted before the journal kept their grants are trusted with no grant", async () => {
  const path = temporaryPath();
  openJournal(path).close();
  const db = new Database(path);
  asOfVersion3(db);
  db.run("DROP TABLE message_ends");
  db.run("ALTER TABLE trusted_dirs DROP COLUMN grants");
  db.run("INSERT INTO trusted_dirs VALUES ('local', '/work')");
  db.run("PRAGMA user_version = 1");
  db.close();
  const journal = openJournal(path);
  expect(await journal.trustedGrants("local", "/work")).toEqual([]);
  journal.close();
});

test("a journal of a newer host is refused and left as it is", async () => {
  const path = temporaryPath();
  openJournal(path).close();
  const db = new Database(path);
  db.run("PRAGMA user_version = 99");
  db.close();
  expect(() => openJournal(path)).toThrow(
    new JournalError(`the journal ${path} has version 99 of a newer tugtalk; this one knows 7`),
  );
});

test("a database of another program is refused", async () => {
  const path = temporaryPath();
  const db = new Database(path);
  db.run("CREATE TABLE bookmarks (url TEXT)");
  db.close();
  expect(() => openJournal(path)).toThrow(`${path} is a database of another program`);
});

test("a file that is no database is called damaged", async () => {
  const path = temporaryPath();
  writeFileSync(path, "no database at all".repeat(1_000));
  expect(() => openJournal(path)).toThrow(
    `the journal ${path} is damaged (put a backup back, or move it away to begin a new one): file is not a database`,
  );
});

test("a journal of which a part is missing is called damaged", async () => {
  const path = temporaryPath();
  const journal = openJournal(path);
  await journal.create(sessionRow("a"));
  for (let index = 0; index < 50; index += 1) {
    await journal.commit("a", { entries: [entry("x".repeat(3_000))] });
  }
  journal.close();
  truncateSync(path, statSync(path).size / 2);
  expect(() => openJournal(path)).toThrow(`the journal ${path} is damaged`);
});

test("a folder in the place of the journal is reported", async () => {
  const path = temporaryPath();
  mkdirSync(path);
  expect(() => openJournal(path)).toThrow("EISDIR");
});

test.each([
  ["goes on after a kill", false],
  ["is a new one after the machine has failed, since commits may be lost", true],
])("the epoch of a journal %s", async (_what, isOlder) => {
  const path = temporaryPath();
  const killed = openJournal(path, { now: () => 5 });
  await killed.create(sessionRow("a"));
  await killed.commit("a", { entries: [entry("a")] });
  const left = temporaryPath();
  for (const end of ["", "-wal"]) copyFileSync(path + end, left + end);
  if (isOlder) utimesSync(`${left}-wal`, 1, 1);
  const journal = openJournal(left);
  const { epoch, seq } = (await journal.load("a"))?.cursor ?? {};
  expect(seq).toBe(1);
  expect(epoch !== 5).toBe(isOlder);
  expect((await journal.entriesAfter("a", { epoch: 5, seq: 0 }, 100)) === "gap").toBe(isOlder);
  journal.close();
  killed.close();
});

test("messages that waited in a journal of an older host keep their attachments, and its events their meaning", async () => {
  const path = temporaryPath();
  const old = openJournal(path);
  await old.create(sessionRow("s"));
  const data = JSON.stringify({ message_id: "m1", requestId: "r1" });
  const types = ["message-queued", "approval-requested", "control_request_forward"];
  await old.commit("s", { entries: types.map((type) => ({ type, data })) });
  old.close();
  const db = new Database(path);
  asOfVersion3(db);
  const attachments = [{ filename: "a.txt", content: "x", media_type: "text/plain" }];
  for (const [id, attached] of [["m1", attachments] as const, ["m2", []] as const])
    db.query("INSERT INTO queue VALUES (1, ?, 1, ?)").run(
      id,
      JSON.stringify({ messageId: id, attachments: attached }),
    );
  db.close();
  const journal = openJournal(path);
  expect((await journal.load("s"))?.attachments).toEqual(new Map([["m1", attachments]]));
  const read = await journal.entriesAfter("s", (await journal.range("s")).start, 1_000);
  expect(read === "gap" ? read : read.map((one) => [one.type, one.data])).toEqual([
    ["message_queued", data],
    ["session_changed", "{}"],
    ["control_request_forward", data],
  ]);
  journal.close();
});
