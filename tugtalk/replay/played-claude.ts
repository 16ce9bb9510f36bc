/** Claude as a recording has it: says its lines when it is told to, and takes what it is given. */
import type { Line } from "../src/lines.ts";
import type { ClaudeExit, ClaudeProcess } from "../src/process-handle.ts";

/** What the bridge does to Claude. */
export type ClaudeActs = Pick<ClaudeProcess, "writeLine" | "closeInput" | "kill">;

export class PlayedClaude {
  readonly process: ClaudeProcess;
  readonly #exited = Promise.withResolvers<ClaudeExit>();
  readonly #batches: (readonly Line[])[] = [];
  #isOver = false;
  #news = Promise.withResolvers<void>();

  constructor(pid: number, acts: ClaudeActs) {
    const { promise: exited } = this.#exited;
    // A recording does not tell how slowly Claude read; it takes megabytes to make a difference.
    this.process = { pid, lines: this.#lines(), exited, unread: () => 0, ...acts };
  }

  /** Says lines in one piece; they are read when the bridge gets round to it. */
  say(lines: readonly Line[]): void {
    this.#batches.push(lines);
    this.#news.resolve();
  }

  endOutput(): void {
    this.#isOver = true;
    this.#news.resolve();
  }

  exit(exit: ClaudeExit): void {
    this.#exited.resolve(exit);
  }

  async *#lines(): AsyncGenerator<readonly Line[]> {
    for (;;) {
      const batch = this.#batches.shift();
      if (batch !== undefined) yield batch;
      else if (this.#isOver) return;
      else {
        await this.#news.promise;
        this.#news = Promise.withResolvers<void>();
      }
    }
  }
}
