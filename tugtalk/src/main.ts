/** The bridge as a process: arguments, pipes, signals, exit code, and its ports to the machine. */
import packageJson from "../../package.json" with { type: "json" };
import type { Clock } from "./base/clock.ts";
import { refuseArguments } from "./base/flags.ts";
import { hideValues } from "./base/hidden-values.ts";
import { removeLeftFolders, SecretFiles } from "./base/private-folders.ts";
import { type BridgeArguments, parseArguments, USAGE } from "./edge/arguments.ts";
import type { BridgePorts } from "./edge/bridge.ts";
import { Channels } from "./edge/channels.ts";
import { type ConnectionPorts, HostConnection } from "./edge/host-connection.ts";
import { openHostLines } from "./edge/host-lines.ts";
import { endWhenSilent } from "./edge/host-silence.ts";
import { type Log, openLog } from "./edge/log.ts";
import { openPastConversations } from "./history/past-conversations.ts";
import { buildEnvironment, findClaude } from "./process/claude-command.ts";
import { startClaudeProcess } from "./process/claude-process.ts";
import type { Recorder } from "./recording/recorder.ts";

/** A program that takes the place of Claude. */
export type ReplacedClaude = {
  readonly newId: ConnectionPorts["newId"];
  /** Called for each start; `env` is added to the environment. */
  readonly start: () => {
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
};

/** Opens a replacement for one bridge, which may be that of a channel. */
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

/** The system clock. Its timers do not keep the process alive. */
const CLOCK: Clock = {
  now: () => Date.now(),
  setTimer: (run, ms) => setTimeout(run, ms).unref(),
  clearTimer: (timer) => clearTimeout(timer as Timer | undefined),
};

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

/** Errors that would end the process at once and leave Claude running. */
const FAULTS = ["uncaughtException", "unhandledRejection"] as const;

/** A start is not to be slower by what others have left. */
const REMOVE_LEFT_AFTER_MS = 100;

/** For a person who starts the bridge by hand, and sees nothing happen for so long, in ms. */
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
    const connection = openChannels(args, args.maxChannels, openReplaced);
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

/** Ends a connection with a signal, and with an error that nothing has caught. */
function endOnSignal(
  connection: Pick<HostConnection, "close" | "fault">,
  recording?: Recorder,
): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      recording?.recordSignal(signal);
      connection.close();
    });
  for (const fault of FAULTS)
    process.on(fault, (thrown) => {
      recording?.recordFault(thrown);
      connection.fault(thrown);
    });
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

function openChannels(
  args: BridgeArguments,
  maxChannels: number,
  openReplaced?: OpenReplaced,
): Channels {
  const log = openLog(args.logLevel);
  return new Channels({
    ...openPipes(args),
    log,
    maxChannels,
    nextTurn: () => new Promise((resolve) => void setImmediate(resolve)),
    openChannel: (name) => {
      // Apart, since the names of the files are the same in all.
      const files = new SecretFiles();
      const ofChannel: Log = (level, message) =>
        log(level, `channel ${JSON.stringify(name)}: ${message}`);
      const ports = bridgePorts(args, { files, log: ofChannel }, openReplaced?.(name));
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
  return { ...openPipes(args), ...bridgePorts(args, { files, log }, replaced) };
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

/** What one bridge needs of the machine. */
function bridgePorts(
  { dir, stateDir, claude, maxLineBytes }: BridgeArguments,
  { files, log }: { readonly files: SecretFiles; readonly log: Log },
  replaced?: ReplacedClaude,
): Omit<BridgePorts, "onFatal"> {
  const past = openPastConversations(dir, stateDir, (message) => log("warn", message));
  let cwd = dir;
  return {
    clock: CLOCK,
    newId: replaced?.newId ?? (() => crypto.randomUUID()),
    log,
    spawn: (args, options) => {
      const { command, env } = replaced?.start() ?? { command: findClaude(claude), env: {} };
      return startClaudeProcess({
        command,
        args,
        cwd,
        env: { ...buildEnvironment(process.env, options), ...env },
        maxLineBytes,
        hide: (text) => hideValues(text, options.env),
      });
    },
    writeSecretFile: (name, text) => files.write(name, text),
    ...past,
    configure: (init) => {
      cwd = init.dir ?? dir;
      past.configure(init);
    },
  };
}
