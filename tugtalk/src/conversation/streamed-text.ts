/**
 * The text of one block while it is streamed, kept for the end of the block up to a limit. The host
 * gets each piece as it comes, also beyond the limit.
 */

/** The most that is kept of one block, in characters: twenty times what a model writes into one. */
export const MAX_KEPT_TEXT = 16 * 1024 * 1024;

/** How many pieces are joined to one. A short piece takes ten times the memory of its text. */
const JOINED_TOGETHER = 1024;

export class StreamedText {
  readonly #joined: string[] = [];
  #pieces: string[] = [];
  #kept = 0;
  #isWhole = true;

  /** Whether the whole text is kept. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add(piece: string): void {
    if (!this.#isWhole) return;
    const room = MAX_KEPT_TEXT - this.#kept;
    this.#isWhole = piece.length <= room;
    this.#kept += piece.length;
    this.#pieces.push(piece.slice(0, room));
    if (this.#pieces.length < JOINED_TOGETHER) return;
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  /** The kept text. */
  toString(): string {
    return [...this.#joined, ...this.#pieces].join("");
  }
}
