/**
 * The latest consecutive entries of a session that were announced, for a client that is reading the journal.
 */
import type { Cursor } from "../../client/host-api.ts";
import { charsOf, type Frame } from "../api/frame.ts";

export class LatestFrames {
  readonly #maxChars: number;
  #frames: Frame[] = [];
  #chars = 0;

  /** Beyond this number of characters no entry is kept. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  add(frames: readonly Frame[]): void {
    const last = this.#frames.at(-1)?.cursor;
    if (last !== undefined && !follows(frames, last)) this.clear();
    const chars = this.#chars + charsOf(frames);
    if (chars > this.#maxChars) this.clear();
    else {
      this.#frames.push(...frames);
      this.#chars = chars;
    }
  }

  /** The entries that follow this one; none if an entry between them is missing. */
  after(cursor: Cursor): readonly Frame[] {
    const later = this.#frames.filter((frame) => isAfter(frame.cursor, cursor));
    return follows(later, cursor) ? later : [];
  }

  clear(): void {
    this.#frames = [];
    this.#chars = 0;
  }
}

export function follows([first]: readonly Frame[], cursor: Cursor): boolean {
  return first?.cursor?.epoch === cursor.epoch && first.cursor.seq === cursor.seq + 1;
}

/** Whether an entry comes after another one. Epochs ascend, too. */
export function isAfter(one: Cursor | undefined, other: Cursor): boolean {
  if (one === undefined) return false;
  return one.epoch === other.epoch ? one.seq > other.seq : one.epoch > other.epoch;
}
