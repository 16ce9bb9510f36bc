/** Starts writers of a journal, kills them in the middle of their work, and checks the journal. */
import { expect } from "bun:test";
import { join } from "node:path";
import type { Journal } from "../../journal.ts";
import { COMMIT_ENTRIES, SESSION, SNAPSHOT_COMMITS } from "./samples.ts";

export const WRITER = join(import.meta.dir, "journal-writer.ts");

/**
 * Kills a writer after some commits, at a random moment. Gives the last commit that the writer has printed.
 */
export async function killWriter(path: string, commits: number): Promise<number> {
  const writer = Bun.spawn([process.execPath, WRITER, path], { stdout: "pipe" });
  let told = "";
  for await (const chunk of writer.stdout.pipeThrough(new TextDecoderStream())) {
    told += chunk;
    if (told.split("\n").length > commits) writer.kill("SIGKILL");
  }
  await writer.exited;
  return Number(told.split("\n").at(-2));
}

/** Whether each commit up to the last printed one is in the journal as a whole. */
export async function checkWhole(journal: Journal, told: number): Promise<void> {
  const loaded = await journal.load(SESSION);
  const number = Number(loaded?.row.title);
  // The writer may have made one more commit that it could not print.
  expect(number).toBeGreaterThanOrEqual(told);
  expect(loaded?.cursor.seq).toBe(number * COMMIT_ENTRIES);
  const [attached] = loaded?.attachments.get("m1") ?? [];
  expect(attached?.content).toBe(String(number));
  const snapshot = number - (number % SNAPSHOT_COMMITS);
  expect((await journal.snapshot(SESSION))?.state.title).toBe(
    snapshot === 0 ? undefined : String(snapshot),
  );
  expect((await journal.turnsBefore(SESSION, undefined, 1)).entries[0]?.key).toBe(String(number));
  await checkEntries(journal, number);
}

async function checkEntries(journal: Journal, number: number): Promise<void> {
  const start = (await journal.range(SESSION)).start;
  const entries = await journal.entriesAfter(SESSION, start, Number.MAX_SAFE_INTEGER);
  if (entries === "gap") throw new Error("the start of the journal is a gap");
  const found = entries.map(({ seq, data }) => {
    const { number, part } = JSON.parse(data);
    return { seq, place: (number - 1) * COMMIT_ENTRIES + part + 1 };
  });
  const count = number * COMMIT_ENTRIES - start.seq;
  const expected = Array.from({ length: count }, (_, index) => start.seq + index + 1);
  expect(found).toEqual(expected.map((seq) => ({ seq, place: seq })));
}
