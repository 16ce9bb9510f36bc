/**
 * A program that commits to the journal at a path until it is killed, and prints the number of each commit.
 * After the commit that its second argument names, it kills itself.
 */
import { initialSession } from "../../../../client/reduce-session.ts";
import { openJournal } from "../../sqlite-journal.ts";
import { COMMIT_ENTRIES, SESSION, SNAPSHOT_COMMITS, sessionRow, turn } from "./samples.ts";

const journal = openJournal(process.argv[2] ?? "", { maxSessionBytes: 500_000 });
if ((await journal.load(SESSION)) === undefined)
  await journal.create({ ...sessionRow(SESSION), title: "0" });
let number = Number((await journal.load(SESSION))?.row.title);
for (;;) {
  number += 1;
  const title = String(number);
  const entries = Array.from({ length: COMMIT_ENTRIES }, (_, part) => ({
    type: "part",
    data: JSON.stringify({ number, part, text: "x".repeat((number * 37) % 3_000) }),
  }));
  const attached = [{ filename: "a.txt", content: title, media_type: "text/plain" }];
  const snapshot = number % SNAPSHOT_COMMITS === 0 ? { ...initialSession, title } : undefined;
  await journal.commit(SESSION, {
    entries,
    row: { ...sessionRow(SESSION), title },
    attached: new Map([["m1", attached]]),
    turns: [turn(title)],
    ...(snapshot && { snapshot }),
  });
  process.stdout.write(`${title}\n`);
  if (title === process.argv[3]) process.kill(process.pid, "SIGKILL");
}
