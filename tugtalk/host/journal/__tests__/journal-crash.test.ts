import { expect, test } from "bun:test";
import { openJournal } from "../sqlite-journal.ts";
import { checkWhole, killWriter, WRITER } from "./support/ended-writers.ts";
import { SESSION, SNAPSHOT_COMMITS } from "./support/samples.ts";
import { temporaryPath } from "./support/temporary-path.ts";

test("a journal whose writer is killed at any moment has each reported commit, whole, and goes on", async () => {
  const path = temporaryPath();
  let last = 0;
  let epochs = 0;
  for (const commits of [5, 1, 90, 40, 333, 170]) {
    const told = await killWriter(path, commits);
    expect(told).toBeGreaterThan(last);
    last = told;
    const journal = openJournal(path);
    await checkWhole(journal, told);
    if ((await journal.range(SESSION)).start.seq > 0) epochs += 1;
    journal.close();
  }
  // Some of these writers had trimmed their journal.
  expect(epochs).toBeGreaterThan(0);
});

test("a journal whose writer is killed before its first snapshot is whole without one", async () => {
  const path = temporaryPath();
  const last = SNAPSHOT_COMMITS - 1;
  const writer = Bun.spawnSync([process.execPath, WRITER, path, String(last)]);
  expect(writer.signalCode).toBe("SIGKILL");
  const journal = openJournal(path);
  await checkWhole(journal, last);
  journal.close();
});

test("a journal that its disk has no room for ends its writer with one clear error, and has each reported commit", async () => {
  const path = temporaryPath();
  // The largest file that the process may write, in units of 1 KiB.
  const limited = ["bash", "-c", 'ulimit -f 900; exec "$@"', "bash", process.execPath];
  const { exitCode, stdout, stderr } = Bun.spawnSync([...limited, WRITER, path]);
  expect(exitCode).toBe(1);
  expect(stderr.toString()).toContain(`JournalError: the journal ${path} cannot be written: `);
  const journal = openJournal(path);
  await checkWhole(journal, Number(stdout.toString().split("\n").at(-2)));
  journal.close();
});
