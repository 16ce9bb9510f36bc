/** The tests of every journal for a session that has become too long. */
import { expect, test } from "bun:test";
import { initialSession } from "../../../../client/reduce-session.ts";
import type { Commit, Journal } from "../../journal.ts";
import type { OpenJournal } from "./journal-cases.ts";
import { entry, sessionRow, turn } from "./samples.ts";

export const ID = "session";
const KB = "x".repeat(1_000);

export const SNAPSHOT: Commit = { snapshot: initialSession };

/** Makes commits of ten entries of a kilobyte each, and adds the fields of `change` to each commit. */
export async function fill(journal: Journal, commits: number, change = SNAPSHOT): Promise<void> {
  for (let index = 0; index < commits; index += 1) {
    const entries = Array.from({ length: 10 }, () => entry(KB));
    await journal.commit(ID, { entries, ...change });
  }
}

async function journalOf(
  open: OpenJournal,
  maxSessionBytes: number,
  now = () => 1_000,
): Promise<Journal> {
  const journal = await open({ maxSessionBytes, now });
  await journal.create(sessionRow(ID));
  return journal;
}

async function keptBytes(journal: Journal): Promise<number> {
  return (await journal.sizes())[0]?.bytes ?? 0;
}

export function trimCases(open: OpenJournal): void {
  test("loses its oldest half before the next entries, which have a new epoch and go on in number", async () => {
    const journal = await journalOf(open, 100_000);
    await fill(journal, 10);
    const old = (await journal.range(ID)).start;
    expect((await journal.load(ID))?.cursor).toEqual({ epoch: 1_000, seq: 100 });
    const [next] = await journal.commit(ID, { entries: [entry("next")] });
    expect(next).toEqual({ epoch: 1_001, seq: 101, ...entry("next") });
    const start = (await journal.range(ID)).start;
    expect(start.epoch).toBe(1_001);
    expect(start.seq).toBeGreaterThan(45);
    expect(start.seq).toBeLessThan(55);
    expect(await journal.entriesAfter(ID, old, 10)).toBe("gap");
    expect(await journal.entriesAfter(ID, { epoch: 1_001, seq: start.seq - 1 }, 10)).toBe("gap");
    const kept = await journal.entriesAfter(ID, start, 1_000_000);
    expect(kept).toHaveLength(101 - start.seq);
    expect(kept[0]).toMatchObject({ epoch: 1_001, seq: start.seq + 1 });
    expect(await keptBytes(journal)).toBeLessThan(60_000);
  });

  test("has the time as its epoch where that is later than the one before", async () => {
    let time = 1_000;
    const journal = await journalOf(open, 100_000, () => time);
    await fill(journal, 10);
    time = 5_000;
    expect((await journal.commit(ID, { entries: [entry("next")] }))[0]?.epoch).toBe(5_000);
  });

  test("never takes more than its limit and a commit, however long it goes on", async () => {
    const journal = await journalOf(open, 100_000);
    const epochs = new Set<number>();
    for (let index = 0; index < 100; index += 1) {
      await fill(journal, 1, { ...SNAPSHOT, turns: [{ ...turn(`t${index}`), turnId: KB }] });
      epochs.add((await journal.range(ID)).start.epoch);
      expect(await keptBytes(journal)).toBeLessThan(125_000);
    }
    // The entries have a million characters, and each trim takes half a limit of them.
    expect(epochs.size).toBeGreaterThan(10);
    expect(epochs.size).toBeLessThan(40);
  });

  test("keeps all that comes after its snapshot, whatever it takes", async () => {
    const journal = await journalOf(open, 100_000);
    await fill(journal, 2);
    await fill(journal, 20, {});
    const snapshot = await journal.snapshot(ID);
    expect(snapshot?.cursor).toEqual((await journal.range(ID)).start);
    expect(snapshot?.cursor).toEqual({ epoch: 1_001, seq: 20 });
    expect((await journal.load(ID))?.cursor).toEqual({ epoch: 1_001, seq: 220 });
  });

  test("is left as it is where it has no snapshot", async () => {
    const journal = await journalOf(open, 100_000);
    await fill(journal, 20, {});
    expect((await journal.range(ID)).start).toEqual({ epoch: 1_000, seq: 0 });
  });

  test("keeps its turns for as long as they take at most half of the limit", async () => {
    const journal = await journalOf(open, 100_000);
    await fill(journal, 1, { ...SNAPSHOT, turns: ["t1", "t2"].map(turn) });
    await fill(journal, 20);
    expect((await journal.range(ID)).start.seq).toBeGreaterThan(0);
    expect((await journal.turnsBefore(ID, undefined, 9)).entries).toHaveLength(2);
  });

  test("loses its oldest turns where they take more, and no page leads to them", async () => {
    const journal = await journalOf(open, 100_000);
    const turns = Array.from({ length: 90 }, (_, index) => ({ ...turn(`t${index}`), turnId: KB }));
    await journal.commit(ID, { turns });
    await fill(journal, 2);
    const { entries, before } = await journal.turnsBefore(ID, undefined, 90);
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.length).toBeLessThan(30);
    expect(entries.at(-1)?.key).toBe("t89");
    expect(before).toBeUndefined();
    expect(await journal.turnsBefore(ID, "t40", 5)).toEqual({ entries: [] });
  });

  test("keeps the answer to each client_msg_id, and the attachments", async () => {
    const journal = await journalOf(open, 100_000);
    const reply = { clientId: "c1", hash: "h", body: {} };
    const attachments = [{ filename: "a.txt", content: "x", media_type: "text/plain" }];
    const attached = new Map([["m1", attachments]]);
    await fill(journal, 1, { ...SNAPSHOT, attached, replies: [reply] });
    await fill(journal, 20);
    expect(await journal.reply(ID, "c1")).toEqual(reply);
    expect((await journal.load(ID))?.attachments).toEqual(attached);
  });
}
