/**
 * The interface of a running Claude process, and how it is stopped. `claude-process.ts` implements
 * it. Contract, guarantee 8.
 */
import type { Clock } from "../base/clock.ts";
import type { Line } from "../base/lines.ts";

/** How a process ended. */
export type ClaudeExit = {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of its stderr, which explains failures. */
  readonly stderrTail: string;
};

export type ClaudeProcess = {
  readonly pid: number;
  /** Batches of lines in order. Ends with stdout. Each batch is read before the next one is asked for. */
  readonly lines: AsyncIterable<Iterable<Line>>;
  /** Resolves when the process has exited; `lines` ends soon after. Never rejects. */
  readonly exited: Promise<ClaudeExit>;
  /** Writes one line to stdin. Ignored after the exit. */
  readonly writeLine: (line: string) => void;
  /** The characters that were written to stdin and not read. */
  readonly bufferedChars: () => number;
  /** Closes stdin behind the written characters. */
  readonly closeInput: () => void;
  /** Sends a signal to the process and its children. */
  readonly kill: (signal: "SIGINT" | "SIGTERM" | "SIGKILL") => void;
};

/** `graceMs` is the time for each step. `isAtOnce` sends the first signal without waiting. */
export type StopOptions = {
  readonly clock: Clock;
  readonly graceMs: number;
  readonly isAtOnce?: boolean;
};

/** Closes stdin, then sends SIGTERM, then SIGKILL. */
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
