/**
 * A command like `tugtalk`, for hosts that a test cannot look into: the bridge that it starts is checked
 * on the way. A sub-command runs as it is, and a bridge that it starts by its own command is this one.
 * Without the file for faults, a fault ends it, and its host misses its bridge.
 */
import { LineSplitter } from "../../src/base/lines.ts";
import { UNDER_TEST } from "./bridge-process.ts";
import { parseEmitted } from "./emitted-lines.ts";

const SUB_COMMANDS = ["doctor", "replay", "schema", "simulated-claude"];

if (SUB_COMMANDS.includes(Bun.argv[2] ?? "")) await import("../../cli.ts");
else process.exitCode = await serve(Bun.argv.slice(2));

/** Passes a bridge on to the host; resolves with its exit code. Its input is the host's own pipe. */
async function serve(args: readonly string[]): Promise<number> {
  const child = Bun.spawn([...UNDER_TEST, ...args], { stdio: ["inherit", "pipe", "inherit"] });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const)
    process.on(signal, () => child.kill(signal));
  const host = Bun.stdout.writer();
  const lines = new LineSplitter();
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    host.write(chunk);
    await host.flush();
    for (const line of lines.feed(chunk))
      if (line instanceof Uint8Array) parseEmitted(decoder.decode(line));
  }
  return await child.exited;
}
