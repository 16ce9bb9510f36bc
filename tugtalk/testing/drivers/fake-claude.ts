/** Claude as the session sees it, played by a test: lines in, writes out, no process. */

import type { Clock } from "../../src/base/clock.ts";
import { isOverlong, type Line, LineSplitter } from "../../src/base/lines.ts";
import type { ClaudeExit, ClaudeProcess } from "../../src/claude/claude-process-port.ts";
import type { Traffic } from "../observer/observed.ts";

export type FakeClaude = {
  readonly process: ClaudeProcess;
  /** What was written to its stdin, parsed, in order. */
  readonly writes: readonly Record<string, unknown>[];
  /** What went over its pipes, in the order in which the bridge read and wrote it. */
  readonly traffic: readonly Traffic[];
  /** Forgets what went over its pipes so far; for sessions that are measured. */
  readonly forgetTraffic: () => void;
  readonly signals: readonly string[];
  readonly isInputClosed: () => boolean;
  /** From here on so many characters are written that it has not read. */
  readonly leaveUnread: (characters: number) => void;
  /** Prints bytes; resolves when they have been applied. */
  readonly print: (bytes: Uint8Array) => Promise<void>;
  /** Prints one message. */
  readonly say: (message: unknown) => Promise<void>;
  /** Closes its stdout and lives on. */
  readonly closeOutput: () => void;
  /** What is printed and not yet taken, in batches; and what was taken so far. */
  readonly untaken: () => number;
  readonly taken: () => number;
  /** Ends; resolves when the end has been applied. */
  readonly exit: (exit?: Partial<ClaudeExit>) => Promise<void>;
};

type Passage = Traffic extends infer One
  ? One extends Traffic
    ? Omit<One, "received">
    : never
  : never;

/** A clock whose timers only run when a test says so. */
export type FakeClock = Clock & { readonly advance: (ms: number) => void };

/** A Claude that prints what it is told. Like a real pipe, its stdin takes nothing after either end of it. */
export function fakeClaude(
  pid = 1,
  maxLineBytes?: number,
  /** How much the host has received. */
  received: () => number = () => 0,
): FakeClaude {
  const splitter = new LineSplitter(maxLineBytes);
  const writes: Record<string, unknown>[] = [];
  const traffic: Traffic[] = [];
  const signals: string[] = [];
  const batches: { lines: readonly Line[]; applied: () => void }[] = [];
  const exited = Promise.withResolvers<ClaudeExit>();
  let wake = Promise.withResolvers<void>();
  let taken = 0;
  let isOver = false;
  let isInputClosed = false;
  let bufferedChars = 0;
  let hasExited = false;

  const note = (one: Passage): void => void traffic.push({ ...one, received: received() });

  async function* lines(): AsyncGenerator<readonly Line[]> {
    for (;;) {
      const batch = batches.shift();
      if (batch !== undefined) {
        taken += 1;
        for (const line of batch.lines) note({ from: "claude", line: parsed(line) });
        yield batch.lines;
        batch.applied();
      } else if (isOver) return;
      else {
        await wake.promise;
        wake = Promise.withResolvers<void>();
      }
    }
  }

  const print = (bytes: Uint8Array): Promise<void> => {
    const applied = Promise.withResolvers<void>();
    if (isOver) applied.resolve();
    else batches.push({ lines: splitter.feed(bytes), applied: applied.resolve });
    wake.resolve();
    return applied.promise;
  };

  const closeOutput = (): void => {
    if (!isOver) batches.push({ lines: splitter.end(), applied: () => {} });
    isOver = true;
    wake.resolve();
  };

  return {
    process: {
      pid,
      lines: lines(),
      exited: exited.promise,
      writeLine: (line) => {
        if (isInputClosed) return;
        const written = JSON.parse(line);
        if (hasExited) {
          note({ from: "nobody", line: written });
          return;
        }
        writes.push(written);
        note({ from: "bridge", line: written });
      },
      bufferedChars: () => bufferedChars,
      closeInput: () => {
        isInputClosed = true;
        note({ from: "end" });
      },
      kill: (signal) => void signals.push(signal),
    },
    writes,
    signals,
    isInputClosed: () => isInputClosed,
    leaveUnread: (characters) => {
      bufferedChars = characters;
    },
    print,
    say: (message) => print(Buffer.from(`${JSON.stringify(message)}\n`)),
    traffic,
    forgetTraffic: () => void traffic.splice(0),
    closeOutput,
    untaken: () => batches.length,
    taken: () => taken,
    exit: async (exit = {}) => {
      closeOutput();
      hasExited = true;
      note({ from: "exit" });
      exited.resolve({ exitCode: 0, signal: null, stderrTail: "", ...exit });
      // The read loop, the end of the run and what follows it are a few promises away.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    },
  };
}

function parsed(line: Line): unknown {
  if (isOverlong(line)) return undefined;
  try {
    return JSON.parse(Buffer.from(line).toString());
  } catch {
    return undefined;
  }
}

export function fakeClock(): FakeClock {
  const timers = new Map<object, { at: number; run: () => void }>();
  let now = 0;
  return {
    now: () => now,
    setTimer: (run, ms) => {
      const key = {};
      timers.set(key, { at: now + ms, run });
      return key;
    },
    clearTimer: (key) => void timers.delete(key as object),
    advance: (ms) => {
      now += ms;
      for (const [key, { at, run }] of [...timers]) {
        if (at > now) continue;
        timers.delete(key);
        run();
      }
    },
  };
}
