/** A session in memory for tests of frames: the test commits its entries. */
import type { Cursor } from "../../../../client/host-api.ts";
import type { OpenPrompt } from "../../../../client/prompt-models.ts";
import { initialSession } from "../../../../client/reduce-session.ts";
import { entryFrame, type Frame } from "../../../api/frame.ts";
import type { JournalEntry } from "../../../journal/journal.ts";
import { UnreachableJournalError } from "../../../journal/journal-error.ts";
import type { FrameSource } from "../../subscription.ts";

export class FakeSession implements FrameSource {
  readonly id: string;
  /** All committed entries, even those that are trimmed. */
  readonly committed: JournalEntry[] = [];
  readonly prompts: OpenPrompt[] = [];
  /** Part of its state. */
  title = "";
  /** The database of its journal cannot be reached. */
  isAway = false;
  /** The number of subscriptions so far. */
  subscriptions = 0;
  readonly #listeners = new Set<(frames: readonly Frame[]) => void>();
  #epoch = 1;
  #start = 0;
  #isDeleted = false;

  constructor(id = "session-1") {
    this.id = id;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Appends entries with data of these sizes, and notifies the listeners. */
  commit(...sizes: readonly number[]): void {
    this.#tell(sizes.map((size) => this.#append(size)));
  }

  /** Announces the entry with this number to the listeners again. */
  tell(seq: number): void {
    this.#tell(this.committed.slice(seq - 1, seq));
  }

  #tell(entries: readonly JournalEntry[]): void {
    const frames = entries.map((entry) => entryFrame(this.id, entry));
    for (const listener of [...this.#listeners]) listener(frames);
  }

  /** Drops the oldest entries. */
  trim(count: number): void {
    this.#start = Math.min(this.#start + count, this.committed.length);
    this.#epoch += 1;
  }

  /** Deletes the journal without notifying the listeners. */
  delete(): void {
    this.#isDeleted = true;
  }

  /** Sends the listeners a frame that is in no journal. */
  announce(type: string): void {
    const frames = [{ session: this.id, type, data: JSON.stringify({ id: this.id }) }];
    for (const listener of [...this.#listeners]) listener(frames);
  }

  async range() {
    if (this.#isDeleted) throw new Error("there is no such session");
    return { start: { epoch: this.#epoch, seq: this.#start }, end: this.cursor() };
  }

  async entriesAfter(
    { epoch, seq }: Cursor,
    maxChars: number,
  ): Promise<readonly JournalEntry[] | "gap"> {
    if (this.isAway) throw new UnreachableJournalError("the database cannot be reached");
    if (
      this.#isDeleted ||
      epoch !== this.#epoch ||
      seq < this.#start ||
      seq > this.committed.length
    )
      return "gap";
    const entries: JournalEntry[] = [];
    let chars = 0;
    for (const entry of this.committed.slice(seq)) {
      chars += entry.data.length;
      if (entries.length > 0 && chars > maxChars) break;
      entries.push({ ...entry, epoch });
    }
    return entries;
  }

  async snapshot() {
    const { title } = this;
    const state = {
      ...initialSession,
      ...(title !== "" && { title }),
      lastKey: this.committed.length,
    };
    return { cursor: this.cursor(), state };
  }

  listen(onFrames: (frames: readonly Frame[]) => void): () => void {
    this.subscriptions += 1;
    this.#listeners.add(onFrames);
    return () => this.#listeners.delete(onFrames);
  }

  cursor(): Cursor {
    return { epoch: this.#epoch, seq: this.committed.length };
  }

  #append(size: number): JournalEntry {
    const seq = this.committed.length + 1;
    const entry = { epoch: this.#epoch, seq, type: "text_delta", data: dataOf(seq, size) };
    this.committed.push(entry);
    return entry;
  }
}

function dataOf(seq: number, size: number): string {
  return JSON.stringify({ seq, text: "x".repeat(size) });
}
