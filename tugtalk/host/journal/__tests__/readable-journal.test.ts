/** A journal that can only be read. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReadableJournal } from "../readable-journal.ts";
import { openJournal } from "../sqlite-journal.ts";
import { asOfVersion3 } from "./support/old-journal.ts";
import { SESSION, sessionRow } from "./support/samples.ts";

test("a journal of an older host is read unchanged, in the tables of this one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "readable-journal-"));
  const path = join(folder, "journal.sqlite");
  const journal = openJournal(path);
  await journal.create(sessionRow(SESSION));
  journal.close();
  const db = new Database(path);
  asOfVersion3(db);
  db.run("DROP TABLE message_ends");
  db.run("PRAGMA user_version = 2");
  db.close();
  chmodSync(path, 0o400);
  const before = [readdirSync(folder), readFileSync(path)];
  const readable = openReadableJournal(path);
  expect(await readable.sessions()).toEqual([sessionRow(SESSION)]);
  expect(await readable.messageEnd(SESSION, "m")).toBeUndefined();
  readable.close();
  expect([readdirSync(folder), readFileSync(path)]).toEqual(before);
});
