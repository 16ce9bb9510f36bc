/**
 * Claude as the session sees it, without a process: a test prints lines, and reads the lines of the session.
 */

import type { Clock } from "../../src/base/clock.ts";
import { parseJson } from "../../src/base/json.ts";
import { isOverlong, type Line, LineSplitter } from "../../src/base/lines.ts";
import type { ClaudeExit, ClaudeProcess } from "../../src/claude/claude-process-port.ts";
import type { Traffic } from "../observer/observed.ts";

export type FakeClaude = {
  readonly process: ClaudeProcess;
  /** The lines written to its stdin, parsed, in order. */
  readonly writes: readonly Record<string, unknown>[];
  /** The lines of both pipes, in the order in which the bridge read and wrote them. */
  readonly traffic: readonly Traffic[];
  /** Drops the traffic so far; for benchmarks. */
  readonly forget: () => void;
  readonly signals: readonly string[];
  readonly isInputClosed: () => boolean;
  /** Sets how many written characters it has not read. */
  readonly leaveUnread: (characters: number) => void;
  /** Prints bytes; resolves when they have been applied. */
  readonly print: (bytes: Uint8Array) => Promise<void>;
  /** Prints one message. */
  readonly say: (message: unknown) => Promise<void>;
  /** Closes its stdout; the process stays. */
  readonly closeOutput: () => void;
  /** How many printed batches the bridge has not read, and how many it has read. */
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
export type FakeClock = Clock & {
  readonly advance: (ms: number) => void;
  readonly openTimers: () => number;
};

/** Lines that are split when they are read, like the lines of a process, and a copy for `traffic`. */
type Batch = {
  readonly open: () => Iterable<Line>;
  readonly noted: readonly Line[];
  readonly applied: () => void;
};

/** The output of a fake Claude, until the bridge reads it. */
class OutputPipe {
  readonly #splitter: LineSplitter;
  readonly #noted: LineSplitter;
  readonly #batches: Batch[] = [];
  #wake = Promise.withResolvers<void>();
  #isOver = false;
  /** How many batches have been read. */
  taken = 0;

  constructor(maxLineBytes?: number) {
    this.#splitter = new LineSplitter(maxLineBytes);
    this.#noted = new LineSplitter(maxLineBytes);
  }

  get untaken(): number {
    return this.#batches.length;
  }

  /** Resolves when the bridge has applied the lines that the bytes complete. */
  print(bytes: Uint8Array): Promise<void> {
    const applied = Promise.withResolvers<void>();
    if (this.#isOver) applied.resolve();
    else {
      const open = () => this.#splitter.open(bytes);
      this.#batches.push({ open, noted: this.#noted.feed(bytes), applied: applied.resolve });
    }
    this.#wake.resolve();
    return applied.promise;
  }

  close(): void {
    const open = () => this.#splitter.end();
    if (!this.#isOver) this.#batches.push({ open, noted: this.#noted.end(), applied: () => {} });
    this.#isOver = true;
    this.#wake.resolve();
  }

  async *lines(record: (one: Passage) => void): AsyncGenerator<Iterable<Line>> {
    for (;;) {
      const batch = this.#batches.shift();
      if (batch !== undefined) {
        // A pipe is read in a new turn of the event loop: the bridge finishes its pending work before.
        for (let hops = 0; hops < 8; hops += 1) await Promise.resolve();
        this.taken += 1;
        for (const line of batch.noted) record({ from: "claude", line: parsed(line) });
        yield batch.open();
        batch.applied();
      } else if (this.#isOver) return;
      else {
        await this.#wake.promise;
        this.#wake = Promise.withResolvers<void>();
      }
    }
  }
}

/** The bridge's lines to a fake Claude. Like a real pipe, it takes nothing after either end. */
class InputPipe {
  readonly writes: Record<string, unknown>[] = [];
  readonly #record: (one: Passage) => void;
  isClosed = false;
  hasExited = false;
  bufferedChars = 0;

  constructor(record: (one: Passage) => void) {
    this.#record = record;
  }

  writeLine(text: string): void {
    if (this.isClosed) return;
    const line = JSON.parse(text);
    if (!this.hasExited) this.writes.push(line);
    this.#record({ from: this.hasExited ? "nobody" : "bridge", line });
  }

  close(): void {
    this.isClosed = true;
    this.#record({ from: "end" });
  }
}

/** A Claude that prints the lines of a test; `received` counts the messages that the host has received. */
export function fakeClaude(
  pid = 1,
  maxLineBytes?: number,
  received: () => number = () => 0,
): FakeClaude {
  const traffic: Traffic[] = [];
  const signals: string[] = [];
  const exited = Promise.withResolvers<ClaudeExit>();
  const record = (one: Passage): void => void traffic.push({ ...one, received: received() });
  const input = new InputPipe(record);
  const output = new OutputPipe(maxLineBytes);
  const print = (bytes: Uint8Array) => output.print(bytes);
  const exit = async (how: Partial<ClaudeExit> = {}) => {
    output.close();
    input.hasExited = true;
    record({ from: "exit" });
    exited.resolve({ exitCode: 0, signal: null, stderrTail: "", ...how });
    await settlePromises();
  };
  const process: ClaudeProcess = {
    pid,
    lines: output.lines(record),
    exited: exited.promise,
    writeLine: (line) => input.writeLine(line),
    bufferedChars: () => input.bufferedChars,
    closeInput: () => input.close(),
    kill: (signal) => void signals.push(signal),
  };
  return {
    process,
    writes: input.writes,
    signals,
    isInputClosed: () => input.isClosed,
    leaveUnread: (characters) => {
      input.bufferedChars = characters;
    },
    print,
    say: (message) => print(Buffer.from(`${JSON.stringify(message)}\n`)),
    traffic,
    forget: () => {
      traffic.length = 0;
      input.writes.length = 0;
    },
    closeOutput: () => output.close(),
    untaken: () => output.untaken,
    taken: () => output.taken,
    exit,
  };
}

/** Waits until starts and ends in progress are done: each is a few promises away. */
export async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Decoded as the bridge does, without a byte order mark. */
function parsed(line: Line): unknown {
  return isOverlong(line) ? undefined : parseJson(new TextDecoder().decode(line));
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
    openTimers: () => timers.size,
    advance: (ms) => {
      now += ms;
      const due = [...timers].filter(([, { at }]) => at <= now).sort(([, a], [, b]) => a.at - b.at);
      for (const [key, { run }] of due) {
        // A timer that ran before may have cleared it.
        if (!timers.has(key)) continue;
        timers.delete(key);
        run();
      }
    },
  };
}
