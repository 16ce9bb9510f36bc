/** The bridge as a process: arguments, pipes, signals, exit code, and its ports to the machine. */
import packageJson from "../../package.json" with { type: "json" };
import { refuseArguments } from "./base/flags.ts";
import { removeLeftFolders, SecretFiles } from "./base/private-folders.ts";
import { type BridgeArguments, parseArguments, USAGE } from "./edge/arguments.ts";
import { CLOCK, openBridgePorts, type ReplacedClaude } from "./edge/bridge-ports.ts";
import type { Channels } from "./edge/channels.ts";
import { endOnSignal } from "./edge/end-signals.ts";
import { nextTurn } from "./edge/fair-turns.ts";
import { type ConnectionPorts, HostConnection } from "./edge/host-connection.ts";
import { openHostLines } from "./edge/host-lines.ts";
import { endWhenSilent } from "./edge/host-silence.ts";
import { type Log, openLog } from "./edge/log.ts";
import type { Recorder } from "./recording/recorder.ts";

/** Opens a replacement for one bridge, which may be the bridge of a channel. */
type OpenReplaced = (channel?: string) => ReplacedClaude;

/** Runs the bridge on the pipes of this process. Sets the exit code. */
export async function runBridge(
  args: readonly string[] = Bun.argv.slice(2),
  openReplaced?: OpenReplaced,
): Promise<void> {
  const parsed = parseArguments(args, process.env, process.cwd());
  if ("run" in parsed) await serve(parsed.run, openReplaced);
  else if ("print" in parsed)
    console.log(parsed.print === "help" ? USAGE.trimEnd() : packageJson.version);
  else refuseArguments(parsed.problem, USAGE);
}

/** A start is not to be slower by files that others have left. */
const REMOVE_LEFT_AFTER_MS = 100;

/** How long a person who starts the bridge by hand sees nothing before the hint, in ms. */
const HINT_AFTER_MS = 200;
const HINT = `tugtalk: a bridge between a host and Claude Code, waiting for lines of JSON, such as those of a host; tugtalk --help says more. Ctrl-D ends it
To talk with Claude Code in a browser instead: tugtalk host
`;

async function hintToPerson(): Promise<void> {
  try {
    // Asked first, since `node:tty` loads much.
    const isDevice = (await Bun.stdin.stat()).isCharacterDevice();
    if (isDevice && process.getBuiltinModule("node:tty").isatty(0))
      await Bun.write(Bun.stderr, HINT);
  } catch {
    // A stdin that is closed belongs to no one.
  }
}

async function serve(args: BridgeArguments, openReplaced?: OpenReplaced): Promise<void> {
  // Later, since a start with pipes would show it.
  setTimeout(hintToPerson, HINT_AFTER_MS).unref();
  setTimeout(removeLeftFolders, REMOVE_LEFT_AFTER_MS).unref();
  if (args.maxChannels !== undefined) {
    const connection = await openChannels(args, args.maxChannels, openReplaced);
    endOnSignal(connection);
    return connection.run();
  }
  const files = new SecretFiles();
  const openPorts = () => portsOf(args, files, openReplaced?.());
  const recording = args.record === undefined ? undefined : await record(args.record, openPorts);
  if (recording === "impossible") return;
  const connection = new HostConnection(recording?.ports ?? openPorts());
  endOnSignal(connection, recording);
  try {
    await connection.run();
  } finally {
    files.remove();
    await recording?.close();
  }
}

/** Without its recording, a session that was to be recorded does not start. */
async function record(
  path: string,
  openPorts: () => ConnectionPorts,
): Promise<Recorder | "impossible"> {
  try {
    return await (await import("./recording/recorder.ts")).startRecording(path, openPorts);
  } catch (error) {
    console.error(`cannot record: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 2;
    return "impossible";
  }
}

/** Loaded only here: most bridges have one host. */
async function openChannels(
  args: BridgeArguments,
  maxChannels: number,
  openReplaced?: OpenReplaced,
): Promise<Channels> {
  const { Channels } = await import("./edge/channels.ts");
  const log = openLog(args.logLevel);
  return new Channels({
    ...openPipes(args),
    log,
    maxChannels,
    nextTurn,
    openChannel: (name) => {
      // Apart, since the names of the files are the same in all.
      const files = new SecretFiles();
      const ofChannel: Log = (level, message) =>
        log(level, `channel ${JSON.stringify(name)}: ${message}`);
      const ports = openBridgePorts(args, { files, log: ofChannel }, openReplaced?.(name));
      return { ...ports, release: () => files.remove() };
    },
  });
}

function portsOf(
  args: BridgeArguments,
  files: SecretFiles,
  replaced?: ReplacedClaude,
): ConnectionPorts {
  const log = openLog(args.logLevel);
  return { ...openPipes(args), ...openBridgePorts(args, { files, log }, replaced) };
}

/** The host's pipes, and how they end. */
function openPipes({ idleExit, maxLineBytes, onEof }: BridgeArguments) {
  const own = { input: Bun.stdin.stream().getReader(), output: Bun.stdout.writer() };
  const pipes = idleExit === undefined ? own : endWhenSilent(own, idleExit * 1000, CLOCK);
  const onFatal = () => {
    process.exitCode = 1;
  };
  return {
    input: openHostLines(pipes.input, maxLineBytes),
    output: pipes.output,
    onEof,
    onFatal,
  };
}
