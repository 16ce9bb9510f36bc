/**
 * The way out: one buffer, written in order, that tells when it should be drained. Nothing else
 * writes to stdout.
 */
import type { Fields } from "../src/base/json.ts";

const FLUSH_AT_CHARS = 64 * 1024;

/** Takes a piece of text and settles when the reader has room for more. */
export type WriteText = (text: string) => Promise<void>;

/** Buffers lines, so that sending never waits, and drains them at the pace of the reader. */
export class Output {
  readonly #write: WriteText;
  #pending: string[] = [];
  #pendingChars = 0;

  constructor(write: WriteText) {
    this.#write = write;
  }

  /** True when so much has been sent that the sender should drain before it sends more. */
  get isFull(): boolean {
    return this.#pendingChars >= FLUSH_AT_CHARS;
  }

  /** Puts one JSON line behind what was sent before. */
  sendLine(line: Fields): void {
    this.sendText(`${JSON.stringify(line)}\n`);
  }

  /** Puts raw text behind what was sent before. */
  sendText(text: string): void {
    this.#pending.push(text);
    this.#pendingChars += text.length;
  }

  /** Writes out everything sent so far. */
  async drain(): Promise<void> {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#pendingChars = 0;
    if (text !== "") await this.#write(text);
  }
}
