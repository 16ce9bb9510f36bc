/**
 * A running Claude as the session sees it: lines in, lines out, signals; and the steps of its end.
 * How such a thing comes to be is the business of `claude-process.ts`. Contract, guarantee 8.
 */
import type { Clock } from "../base/clock.ts";
import type { Line } from "../base/lines.ts";

/** How a process ended. */
export type ClaudeExit = {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last of what it wrote to stderr, which is where failures are explained. */
  readonly stderrTail: string;
};

/** A running Claude, as the session sees it. */
export type ClaudeProcess = {
  readonly pid: number;
  /** Batches of lines, in the order in which they came. Ends with stdout. */
  readonly lines: AsyncIterable<readonly Line[]>;
  /** Resolves when the process is gone; `lines` ends soon after. Never rejects. */
  readonly exited: Promise<ClaudeExit>;
  /** Writes one line to stdin. Nothing happens after the end. */
  readonly writeLine: (line: string) => void;
  /** How much was written to stdin and is not taken, in characters. */
  readonly bufferedChars: () => number;
  /** Closes stdin after what has been written. */
  readonly closeInput: () => void;
  /** Sends a signal to the process and its children. */
  readonly kill: (signal: "SIGINT" | "SIGTERM" | "SIGKILL") => void;
};

/** How patiently a process is stopped, in ms for each step; `isAtOnce`: without a wait for the first signal. */
export type StopOptions = {
  readonly clock: Clock;
  readonly graceMs: number;
  readonly isAtOnce?: boolean;
};

/** Ends Claude: stdin closed, then SIGTERM, then SIGKILL. */
export function stopClaude(
  process: ClaudeProcess,
  { clock, graceMs, isAtOnce = false }: StopOptions,
): void {
  let timer: unknown;
  const kill = () => process.kill("SIGKILL");
  const terminate = () => {
    process.kill("SIGTERM");
    timer = clock.setTimer(kill, graceMs);
  };
  process.closeInput();
  if (isAtOnce) terminate();
  else timer = clock.setTimer(terminate, graceMs);
  void process.exited.then(() => clock.clearTimer(timer));
}
