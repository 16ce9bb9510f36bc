/**
 * A host that can sleep: a process of its own reads the bridge's pipe, and reads nothing while it is
 * stopped. Messages to the bridge arrive all the same.
 */
import { join } from "node:path";
import { UNDER_TEST } from "./bridge-process.ts";
import { signalIfRunning } from "./processes.ts";

export type SleepingHost = AsyncDisposable & {
  /** Starts the bridge. */
  readonly command: readonly string[];
  readonly sleep: () => Promise<void>;
  readonly wake: () => Promise<void>;
};

/** A host whose pipe is in this folder; disposing of it wakes it, so that it can end. */
export function sleepingHost(folder: string): SleepingHost {
  const pipe = join(folder, "host");
  const script = 'mkfifo "$0"; cat "$0" & echo $! > "$0.pid"; exec "$@" > "$0"';
  const signal = async (name: NodeJS.Signals) => {
    const pid = Number(await Bun.file(`${pipe}.pid`).text());
    signalIfRunning(pid, name);
  };
  const wake = () => signal("SIGCONT");
  return {
    command: ["sh", "-c", script, pipe, ...UNDER_TEST],
    sleep: () => signal("SIGSTOP"),
    wake,
    [Symbol.asyncDispose]: wake,
  };
}
