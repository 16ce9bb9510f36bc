/** All of a transcript in order, however long it is: a page at a time, those that have left the memory first. */
import type { TranscriptEntry } from "../../src/messages/transcript-models.ts";
import type { ReadableSession } from "../api/host-session.ts";

const PAGE_ENTRIES = 50;

/** What `snapshot` has is the end. Pages lead back only, so that each is read twice and none is kept. */
export function* exportedEntries(
  source: ReadableSession,
  { state, before }: ReturnType<ReadableSession["snapshot"]>,
): Generator<TranscriptEntry> {
  const cursors: string[] = [];
  for (let cursor = before; cursor !== undefined; ) {
    cursors.push(cursor);
    cursor = source.turns(cursor, PAGE_ENTRIES).before;
  }
  for (const cursor of cursors.reverse()) yield* source.turns(cursor, PAGE_ENTRIES).entries;
  yield* state.entries;
  yield* state.openEntries;
}
