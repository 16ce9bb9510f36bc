import { describe, expect, test } from "bun:test";
import type { Commit } from "../journal.ts";
import { openJournal } from "../sqlite-journal.ts";
import { journalCases } from "./support/journal-cases.ts";
import { entry, sessionRow } from "./support/samples.ts";
import { temporaryPath } from "./support/temporary-path.ts";

const ID = "session";
const ATTACHMENTS = [{ filename: "a.txt", content: "x", media_type: "text/plain" }];
const ATTACHED: Commit = { attached: new Map([["m1", ATTACHMENTS]]) };

describe("a journal in SQLite", () => {
  journalCases(async (options) => openJournal(":memory:", options));

  test("has all of it after it is opened again", async () => {
    const path = temporaryPath();
    const first = openJournal(path);
    await first.create(sessionRow(ID));
    await first.commit(ID, { entries: [entry("a")], ...ATTACHED });
    const loaded = await first.load(ID);
    first.close();
    const second = openJournal(path);
    expect(await second.load(ID)).toEqual(loaded);
    second.close();
  });
});
