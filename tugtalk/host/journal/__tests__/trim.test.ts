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
function fill(journal: Journal, commits: number, change: Commit = SNAPSHOT): void {
  for (let index = 0; index < commits; index += 1) {
    const entries = Array.from({ length: 10 }, () => entry(KB));
    journal.commit(ID, { entries, ...change });
  }
}

function journalOf(maxSessionBytes: number, now = () => 1_000): Journal {
  const journal = openJournal(":memory:", { maxSessionBytes, now });
  journal.create(sessionRow(ID));
  return journal;
}

function keptBytes(journal: Journal): number {
  return journal.sizes()[0]?.bytes ?? 0;
}

describe("a journal of a session that has become too long", () => {
  test("loses its oldest half before the next entries, which have a new epoch and go on in number", () => {
    const journal = journalOf(100_000);
    fill(journal, 10);
    const old = journal.start(ID);
    expect(journal.load(ID)?.cursor).toEqual({ epoch: 1_000, seq: 100 });
    const [next] = journal.commit(ID, { entries: [entry("next")] });
    expect(next).toEqual({ epoch: 1_001, seq: 101, ...entry("next") });
    const start = journal.start(ID);
    expect(start.epoch).toBe(1_001);
    expect(start.seq).toBeGreaterThan(45);
    expect(start.seq).toBeLessThan(55);
    expect(journal.entriesAfter(ID, old, 10)).toBe("gap");
    expect(journal.entriesAfter(ID, { epoch: 1_001, seq: start.seq - 1 }, 10)).toBe("gap");
    const kept = journal.entriesAfter(ID, start, 1_000_000);
    expect(kept).toHaveLength(101 - start.seq);
    expect(kept[0]).toMatchObject({ epoch: 1_001, seq: start.seq + 1 });
    expect(keptBytes(journal)).toBeLessThan(60_000);
  });

  test("has the time as its epoch where that is later than the one before", () => {
    let time = 1_000;
    const journal = journalOf(100_000, () => time);
    fill(journal, 10);
    time = 5_000;
    expect(journal.commit(ID, { entries: [entry("next")] })[0]?.epoch).toBe(5_000);
  });

  test("never takes more than its limit and a commit, however long it goes on", () => {
    const journal = journalOf(100_000);
    const epochs = new Set<number>();
    for (let index = 0; index < 100; index += 1) {
      fill(journal, 1, { ...SNAPSHOT, turns: [{ ...turn(`t${index}`), turnId: KB }] });
      epochs.add(journal.start(ID).epoch);
      expect(keptBytes(journal)).toBeLessThan(125_000);
    }
    // A million characters of entries, of which each trim takes half a limit.
    expect(epochs.size).toBeGreaterThan(10);
    expect(epochs.size).toBeLessThan(40);
  });

  test("keeps all that comes after its snapshot, whatever it takes", () => {
    const journal = journalOf(100_000);
    fill(journal, 2);
    fill(journal, 20, {});
    const snapshot = journal.snapshot(ID);
    expect(snapshot?.cursor).toEqual(journal.start(ID));
    expect(snapshot?.cursor).toEqual({ epoch: 1_001, seq: 20 });
    expect(journal.load(ID)?.cursor).toEqual({ epoch: 1_001, seq: 220 });
  });

  test("is left as it is where it has no snapshot", () => {
    const journal = journalOf(100_000);
    fill(journal, 20, {});
    expect(journal.start(ID)).toEqual({ epoch: 1_000, seq: 0 });
  });

  test("keeps its turns for as long as they take at most half of the limit", () => {
    const journal = journalOf(100_000);
    fill(journal, 1, { ...SNAPSHOT, turns: ["t1", "t2"].map(turn) });
    fill(journal, 20);
    expect(journal.start(ID).seq).toBeGreaterThan(0);
    expect(journal.turnsBefore(ID, undefined, 9).entries).toHaveLength(2);
  });

  test("loses its oldest turns where they take more, and no page leads to them", () => {
    const journal = journalOf(100_000);
    const turns = Array.from({ length: 90 }, (_, index) => ({ ...turn(`t${index}`), turnId: KB }));
    journal.commit(ID, { turns });
    fill(journal, 2);
    const { entries, before } = journal.turnsBefore(ID, undefined, 90);
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.length).toBeLessThan(30);
    expect(entries.at(-1)?.key).toBe("t89");
    expect(before).toBeUndefined();
    expect(journal.turnsBefore(ID, "t40", 5)).toEqual({ entries: [] });
  });

  test("forgets closed prompts of the time that is gone, and keeps open ones and what each client_msg_id was answered", () => {
    const journal = journalOf(100_000);
    const end = { outcome: "allow", at: 1 };
    const prompt = {
      type: "dialog",
      sessionId: ID,
      stageId: ID,
      createdAt: 1,
      dialogKind: "d",
      payload: {},
    } as const;
    const prompts = ["open", "closed"].map((requestId) => ({
      requestId,
      prompt: { ...prompt, requestId },
      ...(requestId === "closed" && { end }),
    }));
    const reply = { clientId: "c1", hash: "h", status: 200, body: {} };
    fill(journal, 1, { ...SNAPSHOT, prompts, reply });
    fill(journal, 20);
    expect(journal.prompt(ID, "closed")).toBeUndefined();
    expect(journal.reply(ID, "c1")).toEqual(reply);
    expect(journal.load(ID)?.openPrompts.map(({ requestId }) => requestId)).toEqual(["open"]);
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

  test("takes out the rows of a deleted session in pieces, and gives the space back", () => {
    const path = temporaryPath();
    const journal = openJournal(path);
    journal.create(sessionRow(ID));
    journal.create(sessionRow("other"));
    journal.commit("other", { entries: [entry("kept")], turns: [turn("kept")] });
    fill(journal, 200, { ...SNAPSHOT, turns: ["t1", "t2"].map(turn) });
    const before = journal.sizes().length;
    journal.delete(ID);
    expect(journal.sizes()).toHaveLength(before - 1);
    journal.close();
    const grown = statSync(path).size;
    const { pieces, rows } = sweepAll(path);
    expect(pieces).toBeGreaterThan(4);
    expect(rows).toBe(2);
    expect(grown).toBeGreaterThan(2_000_000);
    expect(statSync(path).size).toBeLessThan(300_000);
  });

  test("leaves nothing in the file of what was said in a deleted session", () => {
    const path = temporaryPath();
    const journal = openJournal(path);
    for (const id of [ID, "other"]) {
      journal.create(sessionRow(id));
      journal.commit(id, { entries: [entry(`secret of ${id}`)], turns: [turn(`secret of ${id}`)] });
    }
    journal.delete(ID);
    journal.sweep();
    journal.close();
    const file = readFileSync(path);
    expect(file.includes("secret of other")).toBe(true);
    expect(file.includes(`secret of ${ID}`)).toBe(false);
  });

  test("takes out what was trimmed, and nothing that is kept", () => {
    const path = temporaryPath();
    const journal = openJournal(path, { maxSessionBytes: 100_000 });
    journal.create(sessionRow(ID));
    fill(journal, 10);
    journal.commit(ID, { entries: [entry("next")] });
    const kept = journal.entriesAfter(ID, journal.start(ID), 1_000_000);
    journal.close();
    expect(sweepAll(path).rows).toBe(kept.length);
    const again = openJournal(path);
    expect(again.entriesAfter(ID, again.start(ID), 1_000_000)).toEqual(kept);
    again.close();
  });
});

test("what was trimmed is in no file any more once it is swept, and what is kept is", () => {
  const path = temporaryPath();
  const journal = openJournal(path, { maxSessionBytes: 100_000 });
  const folder = dirname(path);
  const filesWith = (text: string) =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
  journal.create(sessionRow(ID));
  journal.commit(ID, { entries: [entry("the oldest words")], ...SNAPSHOT });
  fill(journal, 15);
  journal.commit(ID, { entries: [entry("the latest words")] });
  expect(journal.start(ID).seq).toBeGreaterThan(1);
  expect(filesWith("the oldest words")).not.toEqual([]);
  journal.sweep();
  expect(filesWith("the oldest words")).toEqual([]);
  expect(filesWith("the latest words")).not.toEqual([]);
  journal.close();
});
