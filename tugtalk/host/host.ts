/** `tugtalk host`: the reference host as a process, from its command line to its exit code. */
import { refuseArguments } from "../src/base/flags.ts";
import { logError, logLine } from "./api/host-log.ts";
import { LOCAL, SIMULATOR } from "./bridges/places.ts";
import { type HostFlags, parseHostFlags, USAGE } from "./host-flags.ts";
import { printLink, revoke } from "./link.ts";
import { openHost, type RunningHost } from "./running-host.ts";
import { runSessions } from "./stored-sessions/sessions-command.ts";

/** The facts that the host cannot find out itself, since it knows the bridge only as a process. */
export type HostPorts = {
  /** Throws if the bridge would not find the Claude of this name, or the default one. */
  readonly findClaude: (command: string | undefined) => unknown;
};

/** For how long running sessions may take to end; then they end with this process. */
const MAX_CLOSE_MS = 9_000;

/** Two signals within this time are one: npm sends its child a second Ctrl-C. */
const ONE_SIGNAL_MS = 500;

/** Runs the sub-command with the arguments after `host`. Sets the exit code. */
export async function runHost(words: readonly string[], ports: HostPorts): Promise<void> {
  const [first, ...rest] = words;
  if (first === "url") await printLink(rest);
  else if (first === "revoke") await revoke(rest);
  else if (first === "sessions") await runSessions(rest);
  else await start(words, ports);
}

async function start(words: readonly string[], { findClaude }: HostPorts): Promise<void> {
  const parsed = parseHostFlags(words, process.env, process.cwd());
  // The URL has a password, which bridges and the programs of Claude must not inherit.
  delete process.env["TUGTALK_DATABASE"];
  if ("help" in parsed) console.log(USAGE.trimEnd());
  else if ("problem" in parsed) refuseArguments(parsed.problem, USAGE);
  else {
    const claude = parsed.flags.claude ?? process.env["TUGTALK_CLAUDE"];
    await serve(
      parsed.flags,
      isFound(() => findClaude(claude)),
    );
  }
}

function isFound(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch {
    return false; // The sessions play the simulator instead.
  }
}

async function serve(flags: HostFlags, hasClaude: boolean): Promise<void> {
  try {
    const place = hasClaude ? LOCAL : SIMULATOR;
    const host = await openHost(flags, place);
    closeOnSignals(host);
    endOnFailure();
    console.log(flags.isJson ? startLine(host, place) : startText(host, hasClaude));
  } catch (error) {
    logLine(`tugtalk host: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

function startLine({ url, port, tokenFile }: RunningHost, place: string): string {
  return JSON.stringify({ url, port, token_file: tokenFile, pid: process.pid, place });
}

function startText({ url, tokenFile, hasDataInDir }: RunningHost, hasClaude: boolean): string {
  const lines = [`tugtalk host: open ${url}`, `Token for scripts: ${tokenFile}`];
  const exposed =
    "That file is in the folder of new sessions: Claude is told not to read it, but a command there can. --dir names a smaller folder";
  if (hasDataInDir) lines.push(exposed);
  const noClaude =
    "No claude was found: new sessions play the simulator. Install Claude Code, or name it with --claude";
  return [...lines, ...(hasClaude ? [] : [noClaude])].join("\n");
}

function closeOnSignals(host: RunningHost): void {
  let closingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (closingSince === undefined) {
      closingSince = performance.now();
      void close(host);
    } else if (signal === "SIGINT" && performance.now() - closingSince > ONE_SIGNAL_MS) {
      // The bridges end by themselves once their host is gone.
      process.exit(130);
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  // Without a listener, a write to a closed terminal or pipe would throw.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
}

/** An entry that a journal does not take must not be shown: the host ends, and its bridges with it. */
function endOnFailure(): void {
  process.on("uncaughtException", (error) => {
    logError(error);
    process.exit(1);
  });
}

async function close(host: RunningHost): Promise<void> {
  setTimeout(() => process.exit(0), MAX_CLOSE_MS).unref();
  try {
    await host.close();
  } catch (error) {
    logError(error);
    process.exitCode = 1;
  }
}
