/**
 * The sending side: one buffer, written in order, that reports when it should be drained. No other code
 * writes to stdout.
 */
import type { Fields } from "../src/base/json.ts";

const FLUSH_AT_CHARS = 64 * 1024;

/** Writes a piece of text, and settles when the reader has room for more. */
export type WriteText = (text: string) => Promise<void>;

/** Buffers lines, so that sending never waits, and drains them at the pace of the reader. */
export class Output {
  readonly #write: WriteText;
  #pending: string[] = [];
  #pendingChars = 0;

  constructor(write: WriteText) {
    this.#write = write;
  }

  /** Whether the sender should drain the buffer before it sends more. */
  get isFull(): boolean {
    return this.#pendingChars >= FLUSH_AT_CHARS;
  }

  /** Appends one JSON line to the buffer. */
  sendLine(line: Fields): void {
    this.sendText(`${JSON.stringify(line)}\n`);
  }

  /** Appends raw text to the buffer. */
  sendText(text: string): void {
    this.#pending.push(text);
    this.#pendingChars += text.length;
  }

  /** Writes the whole buffer out. */
  async drain(): Promise<void> {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#pendingChars = 0;
    if (text !== "") await this.#write(text);
  }
}
