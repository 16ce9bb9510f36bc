import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Journal } from "../journal.ts";
import { openJournal } from "../sqlite-journal.ts";
import { COMMIT_ENTRIES, SESSION } from "./support/samples.ts";
import { temporaryPath } from "./support/temporary-path.ts";

const WRITER = join(import.meta.dir, "support", "journal-writer.ts");

/** Kills a writer after some commits, at no certain point of one, and gives the last that it has told. */
async function killWriter(path: string, commits: number): Promise<number> {
  const writer = Bun.spawn([process.execPath, WRITER, path], { stdout: "pipe" });
  let told = "";
  for await (const chunk of writer.stdout.pipeThrough(new TextDecoderStream())) {
    told += chunk;
    if (told.split("\n").length > commits) writer.kill("SIGKILL");
  }
  await writer.exited;
  return Number(told.split("\n").at(-2));
}

function checkWhole(journal: Journal, told: number): void {
  const loaded = journal.load(SESSION);
  const number = Number(loaded?.row.title);
  // One more may have been written before it could be told.
  expect(number).toBeGreaterThanOrEqual(told);
  expect(loaded?.cursor.seq).toBe(number * COMMIT_ENTRIES);
  expect(loaded?.queue.map(({ message }) => message)).toEqual([String(number)]);
  expect(loaded?.snapshot?.state.title).toBe(String(number - (number % 5)));
  expect(journal.turnsBefore(SESSION, undefined, 1).entries[0]?.key).toBe(String(number));
  checkEntries(journal, number);
}

function checkEntries(journal: Journal, number: number): void {
  const start = journal.start(SESSION);
  const entries = journal.entriesAfter(SESSION, start, Number.MAX_SAFE_INTEGER);
  if (entries === "gap") throw new Error("the start of the journal is a gap");
  const found = entries.map(({ seq, data }) => {
    const { number, part } = JSON.parse(data);
    return { seq, place: (number - 1) * COMMIT_ENTRIES + part + 1 };
  });
  const count = number * COMMIT_ENTRIES - start.seq;
  const expected = Array.from({ length: count }, (_, index) => start.seq + index + 1);
  expect(found).toEqual(expected.map((seq) => ({ seq, place: seq })));
}

test("a journal whose writer is killed at any moment has each commit that was told, whole, and goes on", async () => {
  const path = temporaryPath();
  let last = 0;
  let epochs = 0;
  for (const commits of [5, 1, 90, 40, 333, 170]) {
    const told = await killWriter(path, commits);
    expect(told).toBeGreaterThan(last);
    last = told;
    const journal = openJournal(path);
    checkWhole(journal, told);
    if (journal.start(SESSION).seq > 0) epochs += 1;
    journal.close();
  }
  // Some were killed with a journal that had been trimmed.
  expect(epochs).toBeGreaterThan(0);
});
