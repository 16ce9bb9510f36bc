/**
 * Plays every capture of a folder and says what does not hold: `bun check-captures.ts <folder>`.
 * The exceptions are named, each with what is expected of it.
 */
import { basename, dirname, join } from "node:path";
import { Glob } from "bun";
import { parseConversation } from "../../simulator/conversation.ts";
import { checkCapture } from "./support/capture-check.ts";
import { playCapture } from "./support/capture-run.ts";

const [folder, only = ""] = Bun.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun check-captures.ts <folder> [part of a name]");

let checked = 0;
let broken = 0;
for await (const path of new Glob("**/*.jsonl").scan(folder)) {
  if (!path.includes(only)) continue;
  checked += 1;
  const name = `${basename(dirname(path))}/${basename(path, ".jsonl")}`;
  if (process.env["VERBOSE"]) console.error(name);
  let faults: string[];
  try {
    const conversation = parseConversation(await Bun.file(join(folder, path)).text());
    faults = checkCapture(conversation, await playCapture(conversation));
  } catch (error) {
    faults = [`threw: ${error instanceof Error ? error.stack : error}`];
  }
  if (faults.length === 0) continue;
  broken += 1;
  console.log(`${name}\n  ${faults.slice(0, 4).join("\n  ")}`);
}
console.log(`${checked} captures, ${broken} with faults`);
