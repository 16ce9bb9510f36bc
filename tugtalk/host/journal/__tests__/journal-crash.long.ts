/** Kills many more writers than `journal-crash.test.ts` does, at random moments. */
import { expect, test } from "bun:test";
import { openJournal } from "../sqlite-journal.ts";
import { checkWhole, killWriter } from "./support/ended-writers.ts";
import { temporaryPath } from "./support/temporary-path.ts";

test("a journal whose writer is killed a hundred times has each reported commit, whole", async () => {
  const path = temporaryPath();
  let last = 0;
  for (let kill = 0; kill < 100; kill += 1) {
    const told = await killWriter(path, 1 + Math.floor(Math.random() * 150));
    expect(told).toBeGreaterThan(last);
    last = told;
    const journal = openJournal(path);
    await checkWhole(journal, told);
    journal.close();
  }
}, 120_000);
