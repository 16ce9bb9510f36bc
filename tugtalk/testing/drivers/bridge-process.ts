/** Starts the bridge as a host does, over pipes, and keeps all that it says. */
import { join } from "node:path";
import { STAND_IN } from "./claudes.ts";

const CLI = join(import.meta.dir, "..", "..", "cli.ts");

/**
 * The words that start the bridge: from source, or, in the ring `built`, what `npm run build` made.
 * A command in `TUGTALK_UNDER_TEST` is split at spaces.
 */
export const UNDER_TEST: readonly string[] = process.env["TUGTALK_UNDER_TEST"]?.split(" ") ?? [
  process.execPath,
  CLI,
];

export type Received = Readonly<Record<string, unknown>> & { readonly type: string };

/** How a bridge is started; by default from source, with the stand-in as Claude. */
export type BridgeOptions = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `env` is the whole environment: nothing of the test's own is passed on. */
  readonly isIsolated?: boolean;
  /** What is named as Claude; empty: nothing is. */
  readonly claude?: string;
  readonly cwd?: string;
  /** The words that start the bridge; for what `npm run build` makes. */
  readonly command?: readonly string[];
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
  /** The first message that fits and comes after those already waited for; rejects when the bridge ends first. */
  readonly next: (fits: string | ((message: Received) => boolean)) => Promise<Received>;
  readonly exited: Promise<number>;
  readonly stderr: () => string;
  readonly kill: (signal?: NodeJS.Signals) => void;
};

type Waiter = {
  readonly fits: (message: Received) => boolean;
  readonly resolve: (message: Received) => void;
  readonly reject: (error: Error) => void;
};

/** Starts a bridge. End it in `afterEach` or with `await using`-like care: `kill` is safe to repeat. */
export function startBridge(options: BridgeOptions = {}): TestBridge {
  const { args = [], env = {}, claude = STAND_IN, command = UNDER_TEST } = options;
  const named = claude === "" ? [] : [`--claude=${claude}`];
  const child = Bun.spawn([...command, ...named, ...args], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    env: options.isIsolated === true ? env : { ...process.env, TUGTALK_SIM_PAUSES: "off", ...env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  const received: Received[] = [];
  const sentIds: string[] = [];
  const waiters: Waiter[] = [];
  let seen = 0;
  let stderr = "";
  let hasEnded = false;

  const look = (waiter: Waiter): boolean => {
    for (let at = seen; at < received.length; at += 1) {
      const message = received[at];
      if (message === undefined || !waiter.fits(message)) continue;
      seen = at + 1;
      waiter.resolve(message);
      return true;
    }
    return false;
  };
  const settle = () => {
    while (waiters[0] !== undefined && look(waiters[0])) waiters.shift();
    if (!hasEnded) return;
    for (const waiter of waiters.splice(0))
      waiter.reject(new Error(`the bridge ended first; stderr: ${stderr}`));
  };
  const readOutput = async () => {
    const decoder = new TextDecoder();
    let pieces: string[] = [];
    for await (const chunk of child.stdout) {
      const [first = "", ...starts] = decoder.decode(chunk, { stream: true }).split("\n");
      pieces.push(first);
      for (const start of starts) {
        received.push(JSON.parse(pieces.join("")) as Received);
        pieces = [start];
      }
      settle();
    }
  };
  const readErrors = async () => {
    stderr = await new Response(child.stderr).text();
  };
  const exited = Promise.all([child.exited, readOutput(), readErrors()]).then(([code]) => {
    hasEnded = true;
    settle();
    return code;
  });
  const sendRaw = (bytes: string | Uint8Array) => {
    child.stdin.write(bytes);
    // A bridge that ends with this unread breaks the pipe: that it has ended is told by `exited`.
    void Promise.resolve(child.stdin.flush()).catch(() => {});
  };
  return {
    pid: child.pid,
    received,
    sentIds,
    send: (message) => {
      if (typeof message["id"] === "string") sentIds.push(message["id"]);
      sendRaw(`${JSON.stringify(message)}\n`);
    },
    sendRaw,
    closeInput: () => void child.stdin.end(),
    next: (fits) =>
      new Promise((resolve, reject) => {
        waiters.push({
          fits: typeof fits === "string" ? ({ type }) => type === fits : fits,
          resolve,
          reject,
        });
        settle();
      }),
    exited,
    stderr: () => stderr,
    kill: (signal = "SIGKILL") => child.kill(signal),
  };
}
