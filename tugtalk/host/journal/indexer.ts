/** Indexes what was in a journal before there was an index: a piece at a time, between other work. */
import type { Database } from "bun:sqlite";
import type { Statements } from "./statements.ts";
import { indexPiece } from "./text-index.ts";

const PAUSE_MS = 20;

export class Indexer {
  readonly #piece: () => boolean;
  #timer: Timer | undefined;

  constructor(db: Database, sql: Statements) {
    this.#piece = db.transaction(() => indexPiece(sql));
  }

  /** From here on, until nothing is left. */
  wake(): void {
    this.#timer ??= setTimeout(() => this.#run(), PAUSE_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#timer = undefined;
    try {
      if (this.#piece()) this.wake();
    } catch {
      // The file cannot be written. Commits fail too, which report it. The next start tries again.
    }
  }
}
