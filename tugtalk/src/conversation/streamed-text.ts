/**
 * The text of one block while it is streamed, for the end of the block. Kept up to a limit, since
 * nobody bounds a stream: what comes beyond it reaches the host all the same, and is not kept.
 */

/** The most that is kept of one block, in characters: twenty times what a model writes into one. */
export const MAX_KEPT_TEXT = 16 * 1024 * 1024;

/** So many pieces are joined to one: a piece of a few letters takes ten times its letters. */
const JOINED_TOGETHER = 1024;

export class StreamedText {
  readonly #joined: string[] = [];
  #pieces: string[] = [];
  #kept = 0;
  #isWhole = true;

  /** All that was streamed is kept. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add(piece: string): void {
    if (!this.#isWhole) return;
    this.#isWhole = this.#kept + piece.length <= MAX_KEPT_TEXT;
    if (!this.#isWhole) return;
    this.#kept += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length < JOINED_TOGETHER) return;
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  /** What is kept: all of it, or how it begins. */
  toString(): string {
    return [...this.#joined, ...this.#pieces].join("");
  }
}
