/** `tugtalk host`: the reference host as a process, from its command line to its exit code. */
import { refuseArguments } from "../src/base/flags.ts";
import { parseHostFlags, USAGE } from "./host-flags.ts";
import { printLink } from "./link.ts";
import { openHost, type RunningHost } from "./running-host.ts";

/** What the host cannot find out by itself, since it knows the bridge as a process. */
export type HostPorts = {
  /** Whether the bridge would find the Claude of this name, or any without one. */
  readonly hasClaude: (command: string | undefined) => boolean;
};

/** For how long what runs may take to end, after which it ends with this process. */
const MAX_CLOSE_MS = 9_000;

/** Two signals within this time are one: npm sends its child a second Ctrl-C. */
const ONE_SIGNAL_MS = 500;

/** Runs the sub-command with the words after `host`. Sets the exit code. */
export async function runHost(words: readonly string[], ports: HostPorts): Promise<void> {
  const [first, ...rest] = words;
  if (first === "url") await printLink(rest);
  else await start(words, ports);
}

async function start(words: readonly string[], { hasClaude }: HostPorts): Promise<void> {
  const parsed = parseHostFlags(words, process.env, process.cwd());
  if ("help" in parsed) console.log(USAGE.trimEnd());
  else if ("problem" in parsed) refuseArguments(parsed.problem, USAGE);
  else {
    const { flags } = parsed;
    const place = hasClaude(flags.claude) ? "local" : "simulator";
    try {
      const host = await openHost(flags, place);
      closeOnSignals(host);
      host.announce();
    } catch (error) {
      console.error(`tugtalk host: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
}
