/**
 * A host that reads only on request, and never the log. Its pipe is a named one, since Bun reads ahead
 * from a pipe of `Bun.spawn`.
 */
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { type Received, UNDER_TEST } from "./bridge-process.ts";
import { STAND_IN } from "./claudes.ts";
import { parseEmitted } from "./emitted-lines.ts";
import { isRunnable } from "./processes.ts";
import { folder } from "./written-conversation.ts";

export type SilentHost = {
  readonly pid: number;
  /** The messages so far. */
  readonly received: readonly Received[];
  readonly sendRaw: (bytes: string | Uint8Array) => void;
  readonly send: (message: Readonly<Record<string, unknown>>) => void;
  readonly closeInput: () => void;
  /** Reads until a message fits. */
  readonly readUntil: (fits: (message: Received) => boolean) => Promise<Received>;
  /** Reads to the end; returns the exit code. */
  readonly readToEnd: () => Promise<number>;
  readonly kill: () => void;
};

let pipes = 0;

/** Starts a bridge and reads nothing. */
export async function startSilently(
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<SilentHost> {
  const path = join(folder, `stdout-${pipes++}`);
  Bun.spawnSync(["mkfifo", path]);
  // Without O_NONBLOCK, opening one end waits for the other.
  const early = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stdout = openSync(path, "w");
  const child = Bun.spawn([...UNDER_TEST, `--claude=${STAND_IN}`, ...args], {
    stdin: "pipe",
    stdout,
    stderr: openUnread(),
    env: { ...process.env, ...env },
  });
  const reader = openMessages(await open(path, "r"));
  closeSync(early);
  closeSync(stdout);
  const sendRaw = (bytes: string | Uint8Array) => {
    child.stdin.write(bytes);
    void child.stdin.flush();
  };
  return {
    pid: child.pid,
    ...reader,
    sendRaw,
    send: (message) => sendRaw(`${JSON.stringify(message)}\n`),
    closeInput: () => void child.stdin.end(),
    readToEnd: async () => {
      while (await reader.readMore());
      return await child.exited;
    },
    kill: () => child.kill("SIGKILL"),
  };
}

/** The end of a pipe that fills up. */
function openUnread(): number {
  const path = join(folder, `stderr-${pipes++}`);
  Bun.spawnSync(["mkfifo", path]);
  return openSync(path, "r+");
}

function openMessages(file: FileHandle) {
  const received: Received[] = [];
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(1 << 20);
  let pieces: string[] = [];
  let seen = 0;
  const readMore = async (): Promise<boolean> => {
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
    const [first = "", ...rest] = text.split("\n");
    pieces.push(first);
    for (const start of rest) {
      received.push(parseEmitted(pieces.join("")));
      pieces = [start];
    }
    if (bytesRead === 0) await file.close();
    return bytesRead > 0;
  };
  const readUntil = async (fits: (message: Received) => boolean): Promise<Received> => {
    for (;;) {
      for (; seen < received.length; seen += 1) {
        const message = received[seen];
        if (message !== undefined && fits(message)) return message;
      }
      if (!(await readMore())) throw new Error("the bridge ended first");
    }
  };
  return { received, readMore, readUntil };
}

/** The resident memory of a process, in MB. */
export function residentMegabytes(pid: number): number {
  return statusMegabytes(pid, "VmRSS");
}

/** The most that it has had. */
export function peakMegabytes(pid: number): number {
  return statusMegabytes(pid, "VmHWM");
}

function statusMegabytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/** Nothing for a process that has ended. */
function spentBy(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/schedstat`, "utf8");
  } catch {
    return "";
  }
}

/** Resolves when these processes have been idle for a while: no message shows that. */
export async function areStill(...pids: readonly number[]): Promise<void> {
  const spent = () => pids.map(spentBy).join();
  for (let quiet = 0, before = ""; quiet < 5; ) {
    await Bun.sleep(20);
    const now = spent();
    // On a busy machine, a process that waits for a processor spends no time either.
    quiet = now === before && !pids.some(isRunnable) ? quiet + 1 : 0;
    before = now;
  }
}
