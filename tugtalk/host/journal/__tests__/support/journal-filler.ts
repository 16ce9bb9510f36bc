/**
 * A program that fills the journal at a path with sessions `s0`, `s1`, … of 50 entries each. The second
 * argument is their number; without it, the program writes until its disk is full. The third argument is the
 * end of the program: `close` or `kill`.
 */
import { JournalError } from "../../journal-error.ts";
import { openJournal } from "../../sqlite-journal.ts";
import { entry, sessionRow } from "./samples.ts";

const [path = "", count = "1", end] = process.argv.slice(2);
const journal = openJournal(path);

async function writeSession(id: string): Promise<void> {
  await journal.create({ ...sessionRow(id), title: `Title of ${id}` });
  for (let number = 0; number < 50; number += 1)
    await journal.commit(id, { entries: [entry(`${id} ${number} ${"words ".repeat(500)}`)] });
}

try {
  for (let number = 0; number < Number(count); number += 1) await writeSession(`s${number}`);
} catch (error) {
  if (!(error instanceof JournalError)) throw error;
  console.log(error.message);
}
if (end === "kill") process.kill(process.pid, "SIGKILL");
journal.close();
