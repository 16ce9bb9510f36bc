/**
 * Entries in chunks: a chunk that is out of sight costs nothing, however many entries are in it. An entry
 * stays in its chunk while others come before and after it, so that it is not drawn again.
 */
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import { isSameList } from "../elements/same-list.ts";

export type Chunk = {
  /** Negative for chunks that came in front. */
  readonly id: number;
  readonly entries: readonly TranscriptEntry[];
  /** How many of them, at the end, may change. */
  readonly open: number;
};

const CHUNK_ENTRIES = 20;

export class Chunks {
  /** The first entry of the chunk 0. */
  #origin: string | undefined;
  #known: ReadonlyMap<number, Chunk> = new Map();

  /** A chunk that has the same entries as before is the same object. */
  of(finished: readonly TranscriptEntry[], open: readonly TranscriptEntry[]): readonly Chunk[] {
    const entries = [...finished, ...open];
    const origin = this.#originIn(entries);
    const chunks: Chunk[] = [];
    for (let start = 0; start < entries.length; ) {
      const id = Math.floor((start - origin) / CHUNK_ENTRIES);
      const end = Math.min((id + 1) * CHUNK_ENTRIES + origin, entries.length);
      const isOpen = Math.min(Math.max(end - finished.length, 0), end - start);
      chunks.push(this.#chunk({ id, entries: entries.slice(start, end), open: isOpen }));
      start = end;
    }
    this.#known = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    return chunks;
  }

  #originIn(entries: readonly TranscriptEntry[]): number {
    const index = entries.findIndex(({ key }) => key === this.#origin);
    if (index !== -1) return index;
    this.#origin = entries[0]?.key;
    return 0;
  }

  #chunk(chunk: Chunk): Chunk {
    const known = this.#known.get(chunk.id);
    return known !== undefined && isSame(known, chunk) ? known : chunk;
  }
}

function isSame(one: Chunk, other: Chunk): boolean {
  return one.open === other.open && isSameList(one.entries, other.entries);
}
