/** Starts the bridge over pipes, as a host does, and keeps every message that it sends. */
import { join } from "node:path";
import { STAND_IN } from "./claudes.ts";
import { FAULTS_FILE } from "./emitted-faults.ts";
import { parseEmitted } from "./emitted-lines.ts";
import { Inbox } from "./inbox.ts";

const CLI = join(import.meta.dir, "..", "..", "cli.ts");

/**
 * The command that starts the bridge: from source, or in the ring `built` from the output of `npm run build`.
 * A command in `TUGTALK_UNDER_TEST` is split at spaces.
 */
export const UNDER_TEST: readonly string[] = process.env["TUGTALK_UNDER_TEST"]?.split(" ") ?? [
  process.execPath,
  CLI,
];

/** The environment in which a bridge stumbles at SIGUSR2. A flag for Bun would be one of the binary's own. */
export const STUMBLING: Readonly<Record<string, string>> = {
  BUN_OPTIONS: `--preload=${join(import.meta.dir, "..", "fixtures", "stumbles.ts")}`,
};

/** The environment of processes with a temporary home. All of them share the cache of Bun's transpiler. */
export const TRANSPILED: Readonly<Record<string, string>> = {
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(
    import.meta.dir,
    "..",
    "..",
    "..",
    ".cache",
    "transpiled",
  ),
};

/** A script that is started like `cli.ts`, for hosts that start their bridge themselves. */
export const CHECKED_BRIDGE = join(import.meta.dir, "checked-bridge.ts");

/** The same as `UNDER_TEST` for a command that starts its bridge by its own command: from source it is checked. */
export const CHECKED_COMMAND: readonly string[] =
  process.env["TUGTALK_UNDER_TEST"] === undefined ? [process.execPath, CHECKED_BRIDGE] : UNDER_TEST;

const faults = process.env[FAULTS_FILE];

/** The environment that counts the faults of a bridge as faults of the running test. */
export const FAULTS: Readonly<Record<string, string>> =
  faults === undefined ? {} : { [FAULTS_FILE]: faults };

/** The environment that names the bridge of a host under test: from source a checked one, else its own. */
export const HOST_BRIDGE: Readonly<Record<string, string>> =
  process.env["TUGTALK_UNDER_TEST"] === undefined
    ? { ...FAULTS, TUGTALK_BRIDGE: CHECKED_BRIDGE }
    : {};

export type Received = Readonly<Record<string, unknown>> & { readonly type: string };

/** How a bridge is started; by default from source, with the stand-in as Claude. */
export type BridgeOptions = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `env` is the whole environment: nothing of the test's environment is passed on. */
  readonly isIsolated?: boolean;
  /** The path for `--claude`; with an empty one the flag is left out. */
  readonly claude?: string;
  readonly cwd?: string;
  /** The command that starts the bridge; by default `UNDER_TEST`. */
  readonly command?: readonly string[];
  /** Called with each message before it is waited for. */
  readonly onReceived?: (message: Received) => void;
};

export type TestBridge = {
  readonly pid: number;
  /** Everything received so far, in order. */
  readonly received: readonly Received[];
  readonly sentIds: readonly string[];
  readonly send: (message: Readonly<Record<string, unknown>>) => void;
  /** Writes bytes as they are. */
  readonly sendRaw: (bytes: string | Uint8Array) => void;
  readonly closeInput: () => void;
  /** The first message that fits, after those already returned; rejects when the bridge ends first. */
  readonly next: (fits: string | ((message: Received) => boolean)) => Promise<Received>;
  /** Drops the received messages. */
  readonly forget: () => void;
  readonly exited: Promise<number>;
  readonly stderr: () => string;
  readonly kill: (signal?: NodeJS.Signals) => void;
};

/** Reads messages until the bridge closes its stdout. */
async function readMessages(
  output: ReadableStream<Uint8Array>,
  inbox: Inbox<Received>,
  onReceived: (message: Received) => void = () => {},
): Promise<void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const chunk of output) {
    const [first = "", ...starts] = decoder.decode(chunk, { stream: true }).split("\n");
    pieces.push(first);
    for (const start of starts) {
      const message = parseEmitted(pieces.join(""));
      inbox.received.push(message);
      onReceived(message);
      pieces = [start];
    }
    inbox.settle();
  }
}

function spawnBridge(options: BridgeOptions) {
  const { args = [], env = {}, claude = STAND_IN, command = UNDER_TEST } = options;
  const named = claude === "" ? [] : [`--claude=${claude}`];
  return Bun.spawn([...command, ...named, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: options.isIsolated === true ? env : { ...process.env, TUGTALK_SIM_SPEED: "max", ...env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
}

/** Starts a bridge. End it in `afterEach`; `kill` is safe to repeat. */
export function startBridge(options: BridgeOptions = {}): TestBridge {
  const child = spawnBridge(options);
  const inbox = new Inbox<Received>();
  const sentIds: string[] = [];
  let stderr = "";

  const readErrors = async () => {
    stderr = await new Response(child.stderr).text();
  };
  const ended = [
    child.exited,
    readMessages(child.stdout, inbox, options.onReceived),
    readErrors(),
  ] as const;
  const exited = Promise.all(ended).then(([code]) => {
    inbox.end(new Error(`the bridge ended first; stderr: ${stderr}`));
    return code;
  });
  const sendRaw = (bytes: string | Uint8Array) => {
    child.stdin.write(bytes);
    // A bridge that ends with this unread breaks the pipe; `exited` reports the end.
    void Promise.resolve(child.stdin.flush()).catch(() => {});
  };
  return {
    pid: child.pid,
    received: inbox.received,
    sentIds,
    send: (message) => {
      if (typeof message["id"] === "string") sentIds.push(message["id"]);
      sendRaw(`${JSON.stringify(message)}\n`);
    },
    sendRaw,
    closeInput: () => void child.stdin.end(),
    next: (fits) => inbox.next(typeof fits === "string" ? ({ type }) => type === fits : fits),
    forget: () => inbox.forget(),
    exited,
    stderr: () => stderr,
    kill: (signal = "SIGKILL") => child.kill(signal),
  };
}
