/** The entries of another host's session, for the listeners of this host. */
import type { Cursor } from "../../client/host-api.ts";
import { entryFrame, type Frame } from "../api/frame.ts";
import type { PostgresReader } from "../journal/postgres/postgres-reader.ts";
import { Rounds } from "./rounds.ts";

/** The size of one read. */
const PIECE_CHARS = 64 * 1024;

export type FeedJournal = Pick<PostgresReader, "load" | "pieceAfter">;

export class EntryFeed {
  readonly #journal: FeedJournal;
  readonly #id: string;
  readonly #onFrames: (frames: readonly Frame[]) => void;
  readonly #rounds = new Rounds(() => this.#read());
  #cursor: Cursor | undefined;
  #isEnded = false;

  /** `onFrames` is called with the later entries, and at first perhaps with earlier ones. */
  constructor(journal: FeedJournal, id: string, onFrames: (frames: readonly Frame[]) => void) {
    this.#journal = journal;
    this.#id = id;
    this.#onFrames = onFrames;
    this.wake();
  }

  /** There may be new entries. */
  wake(): void {
    this.#rounds.ask().catch(() => {
      // The database cannot be reached, or the session is gone, which its row shows. The next call tries
      // again.
    });
  }

  end(): void {
    this.#isEnded = true;
  }

  async #read(): Promise<void> {
    if (this.#isEnded) return;
    // The listener gets the last entry, too: it may have come after the listener's read.
    this.#cursor ??= await lastButOne(this.#journal, this.#id);
    if (this.#cursor === undefined) return;
    const piece = await this.#journal.pieceAfter(this.#id, this.#cursor, PIECE_CHARS);
    if (this.#isEnded) return;
    if (piece === "gap") {
      // The journal was trimmed. The listeners notice it by the epoch of the next frames.
      this.#cursor = undefined;
      this.wake();
      return;
    }
    const { entries, isLast } = piece;
    const last = entries.at(-1);
    if (last === undefined) return;
    this.#cursor = { epoch: last.epoch, seq: last.seq };
    if (!isLast) this.wake();
    this.#onFrames(entries.map((entry) => entryFrame(this.#id, entry)));
  }
}

/** The frame of the last entry, for listeners that may have missed earlier ones. */
export async function lastFrames(journal: FeedJournal, id: string): Promise<readonly Frame[]> {
  const cursor = await lastButOne(journal, id);
  const piece = cursor === undefined ? "gap" : await journal.pieceAfter(id, cursor, 1);
  return piece === "gap" ? [] : piece.entries.map((entry) => entryFrame(id, entry));
}

async function lastButOne(journal: FeedJournal, id: string): Promise<Cursor | undefined> {
  const loaded = await journal.load(id);
  if (loaded === undefined) return undefined;
  const { epoch, seq } = loaded.cursor;
  return { epoch, seq: Math.max(0, seq - 1) };
}
