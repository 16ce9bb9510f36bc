/** How a host reads the entries that another host commits. */
import { expect, test } from "bun:test";
import type { JournalEntry } from "../../journal/journal.ts";
import { EntryFeed, type FeedJournal } from "../entry-feed.ts";

const ROW = { id: "s", place: "local", dir: "/", title: "", createdAt: 0, updatedAt: 0 };
const SUMMARY = { state: "idle", pending: 0, queued: 0, costUsd: 0 } as const;

/** A journal that gives at most two entries at a time. */
class ShortPieces implements FeedJournal {
  readonly entries: JournalEntry[] = [];
  reads = 0;

  add(...types: readonly string[]): void {
    for (const type of types)
      this.entries.push({ epoch: 1, seq: this.entries.length + 1, type, data: "{}" });
  }

  load: FeedJournal["load"] = async () => ({
    row: { ...ROW, summary: SUMMARY },
    cursor: { epoch: 1, seq: this.entries.length },
    attachments: new Map(),
  });

  pieceAfter: FeedJournal["pieceAfter"] = async (_id, { seq }) => {
    this.reads += 1;
    const entries = this.entries.slice(seq, seq + 2);
    return { entries, isLast: seq + entries.length === this.entries.length };
  };
}

/** The entries from the feed up to the end of the journal, and the number of reads. */
async function fed(
  journal: ShortPieces,
  act: (feed: EntryFeed) => void,
): Promise<readonly string[]> {
  const types: string[] = [];
  const all = Promise.withResolvers<void>();
  const feed = new EntryFeed(journal, "s", (frames) => {
    types.push(...frames.map(({ type }) => type));
    if (types.length === journal.entries.length) all.resolve();
  });
  act(feed);
  await all.promise;
  await new Promise(setImmediate);
  feed.end();
  return types;
}

test("a piece that was the last one is not followed by another read", async () => {
  const journal = new ShortPieces();
  journal.add("a");
  expect(await fed(journal, () => {})).toEqual(["a"]);
  expect(journal.reads).toBe(1);
});

test("entries in many pieces are read to their end without another bell", async () => {
  const journal = new ShortPieces();
  const types = await fed(journal, () => journal.add("a", "b", "c", "d", "e"));
  expect(types).toEqual(["a", "b", "c", "d", "e"]);
  expect(journal.reads).toBe(3);
});
