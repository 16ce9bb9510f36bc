/**
 * The bridge as a process: its arguments, its pipes, its signals, its exit code, and what it takes
 * from the machine.
 */
import packageJson from "../../package.json" with { type: "json" };
import type { Clock } from "./base/clock.ts";
import { type BridgeArguments, parseArguments, USAGE } from "./edge/arguments.ts";
import { Bridge, type BridgePorts } from "./edge/bridge.ts";
import { openLog } from "./edge/log.ts";
import type { SessionHistory, SessionList } from "./messages/history-messages.ts";
import type { SessionOptions } from "./messages/options.ts";
import { buildEnvironment, findClaude, hideValues } from "./process/claude-command.ts";
import { startClaudeProcess } from "./process/claude-process.ts";
import { SecretFiles } from "./process/secret-files.ts";
import type { Recording } from "./recording/recorder.ts";
import type { OutboundDraft } from "./types.ts";

/** Runs the bridge on this process's pipes, from its arguments to its exit code. */
export async function runBridge(words: readonly string[] = Bun.argv.slice(2)): Promise<void> {
  const parsed = parseArguments(words, process.env, process.cwd());
  if ("run" in parsed) await serve(parsed.run);
  else if ("print" in parsed)
    console.log(parsed.print === "help" ? USAGE.trimEnd() : packageJson.version);
  else {
    console.error(`${parsed.problem}\n\n${USAGE.trimEnd()}`);
    process.exitCode = 2;
  }
}

/** The clock of the machine; its timers do not keep the process alive. */
const CLOCK: Clock = {
  now: () => Date.now(),
  setTimer: (run, ms) => setTimeout(run, ms).unref(),
  clearTimer: (timer) => clearTimeout(timer as Timer | undefined),
};

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** What would end the process at once, and leave Claude at work. */
const FAULTS = ["uncaughtException", "unhandledRejection"] as const;

async function serve(args: BridgeArguments): Promise<void> {
  const files = new SecretFiles();
  const openPorts = () => portsOf(args, files);
  const recording = args.record === undefined ? undefined : await record(args.record, openPorts);
  if (recording === "impossible") return;
  const bridge = new Bridge(recording?.ports ?? openPorts());
  for (const signal of SIGNALS)
    process.on(signal, () => {
      recording?.noteSignal(signal);
      bridge.close();
    });
  for (const fault of FAULTS)
    process.on(fault, (thrown) => {
      recording?.noteFault(thrown);
      bridge.fault(thrown);
    });
  await bridge.run();
  await recording?.close();
  files.remove();
}

/** Who asked for a recording does not want a session without one. */
async function record(
  path: string,
  openPorts: () => BridgePorts,
): Promise<Recording | "impossible"> {
  try {
    return await (await import("./recording/recorder.ts")).startRecording(path, openPorts);
  } catch (error) {
    console.error(`cannot record: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 2;
    return "impossible";
  }
}

function portsOf(args: BridgeArguments, files: SecretFiles): BridgePorts {
  const { dir, claude, maxLineBytes, onEof, logLevel } = args;
  const log = openLog(logLevel);
  const onDisk = new PastOnDisk(dir);
  return {
    input: Bun.stdin.stream().getReader(),
    output: Bun.stdout.writer(),
    clock: CLOCK,
    newId: () => crypto.randomUUID(),
    log,
    spawn: (args, options) =>
      startClaudeProcess({
        command: findClaude(claude),
        args,
        cwd: dir,
        env: buildEnvironment(process.env, options),
        maxLineBytes,
        hide: (text) => hideValues(text, options),
      }),
    writeSecretFile: (name, text) => files.write(name, text),
    configure: (options) => onDisk.configure(options),
    past: onDisk.past,
    lastSession: openLastSession(args, (words) => log("warn", words)),
    readPast: (request) => onDisk.readPast(request),
    onFatal: () => {
      process.exitCode = 1;
    },
    maxLineBytes,
    onEof,
  };
}

/** What Claude keeps on this machine of past conversations. Loaded only where it is asked for. */
class PastOnDisk {
  readonly #dir: string;
  #env: Readonly<Record<string, string | undefined>> = process.env;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** From here on Claude is one with these options. */
  configure(options: SessionOptions): void {
    this.#env = buildEnvironment(process.env, options);
  }

  readonly past: BridgePorts["past"] = {
    newestSessionId: async () => {
      const { newestSession } = await import("./history/transcripts.ts");
      return newestSession(this.#dir, await this.#configDir());
    },
    findPlace: async (sessionId, messageId) => {
      const { findPlace } = await import("./history/transcript-place.ts");
      return findPlace(this.#dir, sessionId, messageId, await this.#configDir());
    },
    hasBranched: async (sessionId, place) => {
      const { hasBranched } = await import("./history/transcript-place.ts");
      return hasBranched(this.#dir, sessionId, place, await this.#configDir());
    },
  };

  async readPast(request: SessionList | SessionHistory): Promise<OutboundDraft> {
    const configDir = await this.#configDir();
    return request.type === "session_list"
      ? (await import("./history/transcript-list.ts")).listSessions(this.#dir, request, configDir)
      : (await import("./history/transcript-history.ts")).readHistory(
          this.#dir,
          request,
          configDir,
        );
  }

  async #configDir(): Promise<string> {
    return (await import("./history/transcripts.ts")).configDirectory(this.#env);
  }
}

/** Loaded when a first turn begins or a host asks: the start of a bridge does without it. */
function openLastSession(
  { dir, stateDir }: BridgeArguments,
  onFault: (words: string) => void,
): BridgePorts["lastSession"] {
  const load = async () => {
    const { LastSession, defaultStateFolder } = await import("./history/last-session.ts");
    return new LastSession(stateDir ?? defaultStateFolder(process.env), dir, onFault);
  };
  let loading: ReturnType<typeof load> | undefined;
  const opened = () => {
    loading ??= load();
    return loading;
  };
  return {
    read: async () => (await opened()).read(),
    keep: (id) => void opened().then((last) => last.keep(id)),
    settled: async () => (await loading)?.settled(),
  };
}
