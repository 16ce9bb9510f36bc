/** A host that counts messages without storing them, for very long conversations. */

import { LineSplitter } from "../src/base/lines.ts";
import { type Received, UNDER_TEST } from "../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../testing/drivers/claudes.ts";
import { parseEmitted } from "../testing/drivers/emitted-lines.ts";

/** The counts so far. */
export type Heard = {
  messages: number;
  deltas: number;
  /** How many gaps `seq` has. */
  gaps: number;
  /** Blocks whose whole text is not that of their partials. */
  falseBlocks: number;
};

export type CountingHost = {
  readonly pid: number;
  readonly heard: Readonly<Heard>;
  readonly send: (message: Readonly<Record<string, unknown>>) => void;
  /** The next message that fits. */
  readonly next: (fits: string | ((message: Received) => boolean)) => Promise<Received>;
  readonly closeInput: () => void;
  readonly exited: Promise<number>;
  readonly kill: () => void;
};

type Waiter = {
  readonly fits: (message: Received) => boolean;
  readonly resolve: (message: Received) => void;
};

/** Starts a bridge with the stand-in behind it. */
export function startCounting(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): CountingHost {
  const child = Bun.spawn([...UNDER_TEST, `--claude=${STAND_IN}`, ...args], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, ...env },
  });
  const ledger = new Ledger();
  const waiters = new Set<Waiter>();
  const read = async () => {
    const lines = new LineSplitter();
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout)
      for (const line of lines.feed(chunk)) {
        const message = parseEmitted(decoder.decode(line as Uint8Array));
        ledger.take(message);
        for (const waiter of waiters) {
          if (!waiter.fits(message)) continue;
          waiters.delete(waiter);
          waiter.resolve(message);
        }
      }
  };
  const exited = Promise.all([child.exited, read()]).then(([code]) => code);
  return {
    pid: child.pid,
    heard: ledger.heard,
    send: (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      void child.stdin.flush();
    },
    next: (fits) =>
      new Promise((resolve, reject) => {
        const isWanted = typeof fits === "string" ? ({ type }: Received) => type === fits : fits;
        waiters.add({ fits: isWanted, resolve });
        void exited.then((code) => reject(new Error(`the bridge ended with ${code}`)));
      }),
    closeInput: () => void child.stdin.end(),
    exited,
    kill: () => child.kill("SIGKILL"),
  };
}

class Ledger {
  readonly heard: Heard = { messages: 0, deltas: 0, gaps: 0, falseBlocks: 0 };
  #partials: unknown[] = [];

  take(message: Received): void {
    const { heard } = this;
    heard.messages += 1;
    if (message["seq"] !== heard.messages) heard.gaps += 1;
    if (message["status"] === "partial") {
      heard.deltas += 1;
      this.#partials.push(message["text"]);
    }
    if (message.type !== "assistant_text" || message["status"] === "partial") return;
    if (this.#partials.join("") !== message["text"]) heard.falseBlocks += 1;
    this.#partials = [];
  }
}
