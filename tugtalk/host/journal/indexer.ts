/** Indexes the texts that a journal had before it had an index, piece by piece between other work. */
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

  /** Indexes until no text is left. */
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
