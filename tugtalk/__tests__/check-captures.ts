/**
 * Plays every capture of a folder and says what does not hold, and which kinds of line there were:
 * `bun tugtalk/__tests__/check-captures.ts <folder> [part of a name]`.
 */
import { basename, dirname, join } from "node:path";
import { Glob } from "bun";
import { parseConversation } from "../simulator/conversation.ts";
import { checkCapture } from "../testing/captures/capture-check.ts";
import { expectedFaults } from "../testing/captures/capture-exceptions.ts";
import { playCapture } from "../testing/captures/capture-run.ts";
import { KindTable } from "../testing/captures/kind-table.ts";

const [folder, part = ""] = Bun.argv.slice(2);
if (folder === undefined) throw new Error("usage: check-captures.ts <folder> [part of a name]");

const table = new KindTable();
const counts = { captures: 0, exceptions: 0, failed: 0 };
for await (const path of new Glob("**/*.jsonl").scan(folder)) {
  const name = `${basename(dirname(path))}/${basename(path, ".jsonl")}`;
  if (!name.includes(part)) continue;
  const conversation = parseConversation(await Bun.file(join(folder, path)).text());
  const emitted = await playCapture(conversation, "lines", (line, because) =>
    table.record(basename(dirname(path)), line, because),
  );
  const faults = checkCapture(conversation, emitted);
  const expected = expectedFaults(name);
  counts.captures += 1;
  if (expected.length > 0) counts.exceptions += 1;
  if (Bun.deepEquals(faults, expected)) continue;
  counts.failed += 1;
  console.log(`${name}: found ${JSON.stringify(faults)}, expected ${JSON.stringify(expected)}`);
}
console.log(table.format());
for (const fault of table.faults) console.log(fault);
console.log(
  `${counts.captures} captures, ${counts.exceptions} of them on the list of exceptions, ${counts.failed} not as expected`,
);
process.exitCode = counts.failed === 0 ? 0 : 1;
