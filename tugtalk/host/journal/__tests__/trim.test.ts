import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { initialSession } from "../../../client/reduce-session.ts";
import { openDatabase } from "../database.ts";
import type { Commit, Journal } from "../journal.ts";
import { openJournal } from "../sqlite-journal.ts";
import { sweepPiece } from "../sweep.ts";
import { entry, sessionRow, turn } from "./support/samples.ts";
import { temporaryPath } from "./support/temporary-path.ts";

const ID = "session";
const KB = "x".repeat(1_000);

const SNAPSHOT: Commit = { snapshot: initialSession };

/** Commits of ten entries of a kilobyte, each with what `change` has. */
async function fill(journal: Journal, commits: number, change: Commit = SNAPSHOT): Promise<void> {
  for (let index = 0; index < commits; index += 1) {
    const entries = Array.from({ length: 10 }, () => entry(KB));
    await journal.commit(ID, { entries, ...change });
  }
}

async function journalOf(maxSessionBytes: number, now = () => 1_000): Promise<Journal> {
  const journal = openJournal(":memory:", { maxSessionBytes, now });
  await journal.create(sessionRow(ID));
  return journal;
}

async function keptBytes(journal: Journal): Promise<number> {
  return (await journal.sizes())[0]?.bytes ?? 0;
}

describe("a journal of a session that has become too long", () => {
  test("loses its oldest half before the next entries, which have a new epoch and go on in number", async () => {
    const journal = await journalOf(100_000);
    await fill(journal, 10);
    const old = await journal.start(ID);
    expect((await journal.load(ID))?.cursor).toEqual({ epoch: 1_000, seq: 100 });
    const [next] = await journal.commit(ID, { entries: [entry("next")] });
    expect(next).toEqual({ epoch: 1_001, seq: 101, ...entry("next") });
    const start = await journal.start(ID);
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
    const journal = await journalOf(100_000, () => time);
    await fill(journal, 10);
    time = 5_000;
    expect((await journal.commit(ID, { entries: [entry("next")] }))[0]?.epoch).toBe(5_000);
  });

  test("never takes more than its limit and a commit, however long it goes on", async () => {
    const journal = await journalOf(100_000);
    const epochs = new Set<number>();
    for (let index = 0; index < 100; index += 1) {
      await fill(journal, 1, { ...SNAPSHOT, turns: [{ ...turn(`t${index}`), turnId: KB }] });
      epochs.add((await journal.start(ID)).epoch);
      expect(await keptBytes(journal)).toBeLessThan(125_000);
    }
    // A million characters of entries, of which each trim takes half a limit.
    expect(epochs.size).toBeGreaterThan(10);
    expect(epochs.size).toBeLessThan(40);
  });

  test("keeps all that comes after its snapshot, whatever it takes", async () => {
    const journal = await journalOf(100_000);
    await fill(journal, 2);
    await fill(journal, 20, {});
    const snapshot = await journal.snapshot(ID);
    expect(snapshot?.cursor).toEqual(await journal.start(ID));
    expect(snapshot?.cursor).toEqual({ epoch: 1_001, seq: 20 });
    expect((await journal.load(ID))?.cursor).toEqual({ epoch: 1_001, seq: 220 });
  });

  test("is left as it is where it has no snapshot", async () => {
    const journal = await journalOf(100_000);
    await fill(journal, 20, {});
    expect(await journal.start(ID)).toEqual({ epoch: 1_000, seq: 0 });
  });

  test("keeps its turns for as long as they take at most half of the limit", async () => {
    const journal = await journalOf(100_000);
    await fill(journal, 1, { ...SNAPSHOT, turns: ["t1", "t2"].map(turn) });
    await fill(journal, 20);
    expect((await journal.start(ID)).seq).toBeGreaterThan(0);
    expect((await journal.turnsBefore(ID, undefined, 9)).entries).toHaveLength(2);
  });

  test("loses its oldest turns where they take more, and no page leads to them", async () => {
    const journal = await journalOf(100_000);
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

  test("keeps what each client_msg_id was answered, and what is attached", async () => {
    const journal = await journalOf(100_000);
    const reply = { clientId: "c1", hash: "h", body: {} };
    const attachments = [{ filename: "a.txt", content: "x", media_type: "text/plain" }];
    const attached = new Map([["m1", attachments]]);
    await fill(journal, 1, { ...SNAPSHOT, attached, replies: [reply] });
    await fill(journal, 20);
    expect(await journal.reply(ID, "c1")).toEqual(reply);
    expect((await journal.load(ID))?.attachments).toEqual(attached);
  });
});

describe("the sweep", () => {
  /** As a host does that goes on after one that was killed before it had swept. */
  function sweepAll(path: string): { readonly pieces: number; readonly rows: number } {
    const db = openDatabase(path);
    let pieces = 0;
    while (sweepPiece(db)) pieces += 1;
    const count = "SELECT (SELECT count(*) FROM entries) + (SELECT count(*) FROM turns) AS rows";
    const rows = db.query<{ rows: number }, []>(count).get()?.rows ?? -1;
    db.close();
    return { pieces, rows };
  }

  test("takes out the rows of a deleted session in pieces, and gives the space back", async () => {
    const path = temporaryPath();
    const journal = openJournal(path);
    await journal.create(sessionRow(ID));
    await journal.create(sessionRow("other"));
    await journal.commit("other", { entries: [entry("kept")], turns: [turn("kept")] });
    await fill(journal, 200, { ...SNAPSHOT, turns: ["t1", "t2"].map(turn) });
    const before = (await journal.sizes()).length;
    await journal.delete(ID);
    expect(await journal.sizes()).toHaveLength(before - 1);
    journal.close();
    const grown = statSync(path).size;
    const { pieces, rows } = sweepAll(path);
    expect(pieces).toBeGreaterThan(4);
    expect(rows).toBe(2);
    expect(grown).toBeGreaterThan(2_000_000);
    expect(statSync(path).size).toBeLessThan(300_000);
  });

  test("takes out what was trimmed, and nothing that is kept", async () => {
    const path = temporaryPath();
    const journal = openJournal(path, { maxSessionBytes: 100_000 });
    await journal.create(sessionRow(ID));
    await fill(journal, 10);
    await journal.commit(ID, { entries: [entry("next")] });
    const kept = await journal.entriesAfter(ID, await journal.start(ID), 1_000_000);
    journal.close();
    expect(sweepAll(path).rows).toBe(kept.length);
    const again = openJournal(path);
    expect(await again.entriesAfter(ID, await again.start(ID), 1_000_000)).toEqual(kept);
    again.close();
  });
});

test("what was trimmed is in no file any more once it is swept, and what is kept is", async () => {
  const path = temporaryPath();
  const journal = openJournal(path, { maxSessionBytes: 100_000 });
  const folder = dirname(path);
  const filesWith = (text: string) =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
  await journal.create(sessionRow(ID));
  await journal.commit(ID, { entries: [entry("the oldest words")], ...SNAPSHOT });
  await fill(journal, 15);
  await journal.commit(ID, { entries: [entry("the latest words")] });
  expect((await journal.start(ID)).seq).toBeGreaterThan(1);
  expect(filesWith("the oldest words")).not.toEqual([]);
  journal.sweep();
  expect(filesWith("the oldest words")).toEqual([]);
  expect(filesWith("the latest words")).not.toEqual([]);
  journal.close();
});
