/**
 * A command like `tugtalk`, for hosts that a test cannot look into: what the bridge writes is checked
 * before it is written. A sub-command runs as it is, and a bridge that it starts by its own command is this
 * one. Without the file for faults, a fault ends the bridge, and its host misses it.
 */
import { parseEmittedText } from "./emitted-lines.ts";

const SUB_COMMANDS = ["doctor", "replay", "schema", "simulated-claude"];

if (!SUB_COMMANDS.includes(Bun.argv[2] ?? "")) checkOutput();
await import("../../cli.ts");

/** Each write of a bridge is of whole lines. */
function checkOutput(): void {
  const open = Bun.stdout.writer.bind(Bun.stdout);
  Bun.stdout.writer = (options) => checked(open(options));
}

function checked(sink: Bun.FileSink): Bun.FileSink {
  const write: Bun.FileSink["write"] = (chunk) => {
    parseEmittedText(String(chunk));
    return sink.write(chunk);
  };
  const flush: Bun.FileSink["flush"] = () => sink.flush();
  return Object.create(sink, { write: { value: write }, flush: { value: flush } });
}
