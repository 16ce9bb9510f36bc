import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDatabase } from "../database.ts";
import { openJournal } from "../sqlite-journal.ts";
import { sweepPiece } from "../sweep.ts";
import { entry, sessionRow, turn } from "./support/samples.ts";
import { temporaryPath } from "./support/temporary-path.ts";
import { fill, ID, SNAPSHOT, trimCases } from "./support/trim-cases.ts";

describe("a journal of a session that has become too long", () => {
  trimCases(async (options) => openJournal(":memory:", options));
});

describe("the sweep", () => {
  /** Sweeps a file as a host does that starts after another one was killed before its sweep. */
  function sweepAll(path: string): { readonly pieces: number; readonly rows: number } {
    const db = openDatabase(path);
    let pieces = 0;
    while (sweepPiece(db)) pieces += 1;
    const count = "SELECT (SELECT count(*) FROM entries) + (SELECT count(*) FROM turns) AS rows";
    const rows = db.query<{ rows: number }, []>(count).get()?.rows ?? -1;
    db.close();
    return { pieces, rows };
  }

  test("takes out the rows of a deleted session in pieces, and gives the space back", async () => {
    const path = temporaryPath();
    const journal = openJournal(path);
    await journal.create(sessionRow(ID));
    await journal.create(sessionRow("other"));
    await journal.commit("other", { entries: [entry("kept")], turns: [turn("kept")] });
    await fill(journal, 200, { ...SNAPSHOT, turns: ["t1", "t2"].map(turn) });
    const before = (await journal.sizes()).length;
    await journal.delete(ID);
    expect(await journal.sizes()).toHaveLength(before - 1);
    journal.close();
    const grown = statSync(path).size;
    const { pieces, rows } = sweepAll(path);
    expect(pieces).toBeGreaterThan(4);
    expect(rows).toBe(2);
    expect(grown).toBeGreaterThan(2_000_000);
    expect(statSync(path).size).toBeLessThan(300_000);
  });

  test("takes out the trimmed parts, and nothing that is kept", async () => {
    const path = temporaryPath();
    const journal = openJournal(path, { maxSessionBytes: 100_000 });
    await journal.create(sessionRow(ID));
    await fill(journal, 10);
    await journal.commit(ID, { entries: [entry("next")] });
    const kept = await journal.entriesAfter(ID, (await journal.range(ID)).start, 1_000_000);
    journal.close();
    expect(sweepAll(path).rows).toBe(kept.length);
    const again = openJournal(path);
    expect(await again.entriesAfter(ID, (await again.range(ID)).start, 1_000_000)).toEqual(kept);
    again.close();
  });
});

test("a trimmed text is in no file any more once it is swept, and a kept one is", async () => {
  const path = temporaryPath();
  const journal = openJournal(path, { maxSessionBytes: 100_000 });
  const folder = dirname(path);
  const filesWith = (text: string) =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
  await journal.create(sessionRow(ID));
  await journal.commit(ID, { entries: [entry("the oldest words")], ...SNAPSHOT });
  await fill(journal, 15);
  await journal.commit(ID, { entries: [entry("the latest words")] });
  expect((await journal.range(ID)).start.seq).toBeGreaterThan(1);
  expect(filesWith("the oldest words")).not.toEqual([]);
  journal.sweep();
  expect(filesWith("the oldest words")).toEqual([]);
  expect(filesWith("the latest words")).not.toEqual([]);
  journal.close();
});
