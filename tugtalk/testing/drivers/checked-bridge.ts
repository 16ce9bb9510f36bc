/**
 * A command like `tugtalk`, for hosts that a test cannot look into: the output of the bridge is kept for a
 * check at the end of the test. A sub-command runs unchecked, and the bridges that it starts are this command
 * again. Without a file for faults, each message is checked before it is written: a fault ends the bridge.
 */
import { appendFileSync } from "node:fs";
import { FAULTS_FILE, uncheckedFile } from "./emitted-faults.ts";

const SUB_COMMANDS = ["acp", "doctor", "replay", "schema", "simulated-claude"];

if (!SUB_COMMANDS.includes(Bun.argv[2] ?? "")) checkOutput(await openCheck());
await import("../../cli.ts");

type Check = (text: string) => unknown;

async function openCheck(): Promise<Check> {
  const path = process.env[FAULTS_FILE];
  if (path === undefined) return (await import("./emitted-lines.ts")).parseEmittedText;
  return (text) => appendFileSync(uncheckedFile(path), text);
}

/** Each write of a bridge is of whole lines. */
function checkOutput(check: Check): void {
  const open = Bun.stdout.writer.bind(Bun.stdout);
  Bun.stdout.writer = (options) => checked(open(options), check);
}

function checked(sink: Bun.FileSink, check: Check): Bun.FileSink {
  const write: Bun.FileSink["write"] = (chunk) => {
    check(String(chunk));
    return sink.write(chunk);
  };
  const flush: Bun.FileSink["flush"] = () => sink.flush();
  return Object.create(sink, { write: { value: write }, flush: { value: flush } });
}
