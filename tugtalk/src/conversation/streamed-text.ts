/**
 * The text of one block while it is streamed, kept for the end of the block up to a limit. The host
 * gets each piece as it comes, also beyond the limit. Of the rest there is a hash, so that a snapshot
 * can be compared with all of it.
 */

/** The most characters that are kept of one block: twenty times the longest block of a model. */
export const MAX_KEPT_TEXT = 16 * 1024 * 1024;

/** How many pieces are joined to one. A short piece takes ten times the memory of its text. */
const JOINED_TOGETHER = 1024;

/** A piece may end between the two halves of a character, which UTF-8 cannot express. */
const ENCODING = "utf16le";

export class StreamedText {
  readonly #joined: string[] = [];
  #pieces: string[] = [];
  #length = 0;
  /** The hash of the text that is not kept. */
  #restHash: Bun.CryptoHasher | undefined;

  /** Whether the whole text is kept. */
  get isWhole(): boolean {
    return this.#restHash === undefined;
  }

  add(piece: string): void {
    const room = Math.max(0, MAX_KEPT_TEXT - this.#length);
    this.#length += piece.length;
    if (piece.length > room) {
      this.#restHash ??= newHash();
      this.#restHash.update(piece.slice(room), ENCODING);
    }
    if (room > 0) this.#keep(piece.slice(0, room));
  }

  /** The rest of `whole` after this text; undefined if `whole` does not begin with all of it. */
  restOf(whole: string): string | undefined {
    if (whole.length < this.#length || !whole.startsWith(this.toString())) return undefined;
    const beyond = whole.slice(MAX_KEPT_TEXT, this.#length);
    const isSame =
      this.#restHash === undefined ||
      this.#restHash.copy().digest("hex") === newHash().update(beyond, ENCODING).digest("hex");
    return isSame ? whole.slice(this.#length) : undefined;
  }

  /** The kept text. */
  toString(): string {
    return [...this.#joined, ...this.#pieces].join("");
  }

  #keep(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length < JOINED_TOGETHER) return;
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }
}

function newHash(): Bun.CryptoHasher {
  return new Bun.CryptoHasher("sha256");
}
