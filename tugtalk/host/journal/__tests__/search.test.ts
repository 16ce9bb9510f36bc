import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { initialSession } from "../../../client/reduce-session.ts";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { openDatabase } from "../database.ts";
import type { Journal } from "../journal.ts";
import { openJournal } from "../sqlite-journal.ts";
import { withoutTexts } from "./support/old-journal.ts";
import { entry, sessionRow, turn } from "./support/samples.ts";
import { ID, saidAt, searchTests } from "./support/search-table.ts";
import { temporaryPath } from "./support/temporary-path.ts";

searchTests(async () => openJournal(":memory:"));

async function journalOf(path = ":memory:"): Promise<ReturnType<typeof openJournal>> {
  const journal = openJournal(path);
  await journal.create(sessionRow(ID));
  return journal;
}

async function found(journal: Journal, text: string): Promise<readonly string[]> {
  const { hits } = await journal.search({ text, limit: 100 });
  return hits.map(({ snippet }) => snippet);
}

describe("a search", () => {
  test("tells of each text where it is, and when it was said", async () => {
    const journal = await journalOf();
    await journal.commit(ID, { texts: [saidAt(5_000, "a needle")] });
    expect(await journal.search({ text: "needle", limit: 1 })).toEqual({
      hits: [
        {
          session: ID,
          entry: "t5000",
          item: "i5000",
          kind: "text",
          at: 5_000,
          snippet: "a needle",
          marks: [{ start: 2, end: 8 }],
        },
      ],
      isPartial: false,
    });
  });

  test("goes on before the last text of the page before, without one twice or left out", async () => {
    const journal = await journalOf();
    const at = [3, 1, 2, 2, 2, 9, 1];
    const texts = at.map((time, index) => ({
      ...saidAt(time, `needle ${index}`),
      item: `i${index}`,
    }));
    await journal.commit(ID, { texts });
    const pages: (readonly string[])[] = [];
    let before: number | undefined;
    do {
      const page = await journal.search({ text: "needle", limit: 2, before });
      pages.push(page.hits.map(({ snippet }) => snippet));
      before = page.before;
    } while (before !== undefined);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1]);
    expect<readonly string[]>(pages.flat()).toEqual(await found(journal, "needle"));
    expect(new Set(pages.flat()).size).toBe(7);
    expect(pages[0]?.[0]).toBe("needle 5");
  });

  test("has a long text from a little before the first place on, and whole characters", async () => {
    const journal = await journalOf();
    await journal.commit(ID, {
      texts: [saidAt(1, `${"🎉".repeat(99)} needle ${"🎉".repeat(99)}`)],
    });
    const [hit] = (await journal.search({ text: "needle", limit: 1 })).hits;
    const [mark] = hit?.marks ?? [];
    expect(hit?.snippet.slice(mark?.start, mark?.end)).toBe("needle");
    expect(hit?.snippet.length).toBe(200);
    expect(hit?.snippet.isWellFormed()).toBe(true);
  });

  test("finds a text that has changed as it is, and no more as it was", async () => {
    const journal = await journalOf();
    await journal.commit(ID, { texts: [saidAt(1, "the oldword")] });
    await journal.commit(ID, { texts: [saidAt(1, "the newword")] });
    expect(await found(journal, "oldword")).toEqual([]);
    expect(await found(journal, "the")).toEqual(["the newword"]);
  });

  test("finds nothing of a commit that failed", async () => {
    const journal = await journalOf();
    const end = { messageId: "m", status: "deleted" } as const;
    await journal.commit(ID, { endedMessages: [end] });
    const failing = { texts: [saidAt(1, "needle")], entries: [entry("x")], endedMessages: [end] };
    expect(await failureOf(journal.commit(ID, failing))).toBeInstanceOf(Error);
    expect(await found(journal, "needle")).toEqual([]);
  });

  test("finds the texts that a journal had before it was opened again, and none of a deleted session", async () => {
    const path = temporaryPath();
    const journal = await journalOf(path);
    await journal.create(sessionRow("other"));
    await journal.commit(ID, { texts: [saidAt(1, "needle one")] });
    await journal.commit("other", { texts: [saidAt(1, "needle two")] });
    await journal.delete(ID);
    expect(await found(journal, "needle")).toEqual(["needle two"]);
    journal.close();
    const again = openJournal(path);
    expect(await found(again, "needle")).toEqual(["needle two"]);
    again.close();
  });
});

/** All words of the index in the file, after the host that had it. */
function indexedWords(path: string): readonly string[] {
  const db = openDatabase(path);
  db.run("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'text_words', 'row')");
  const rows = db.query<{ term: string }, []>("SELECT term FROM vocabulary").all();
  db.close();
  return rows.map(({ term }) => term);
}

function filesWith(path: string, text: string): readonly string[] {
  const folder = dirname(path);
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
}

describe("no word is left in any file", () => {
  /** Enough texts that the index has several segments. */
  async function fill(journal: Journal, id: string, word: string): Promise<void> {
    for (let index = 0; index < 60; index += 1) {
      const text = saidAt(1_000 + index, `${word} common ${word}${index} ${"filler ".repeat(50)}`);
      await journal.commit(id, {
        texts: [text],
        ...(index % 7 === 0 && { turns: [turn(text.entry)] }),
      });
    }
  }

  test("of a session that was deleted, and all of the others are", async () => {
    const path = temporaryPath();
    const journal = await journalOf(path);
    await journal.create(sessionRow("other"));
    await fill(journal, ID, "qsecret");
    await fill(journal, "other", "zkept");
    expect(filesWith(path, "qsecret")).not.toEqual([]);
    await journal.delete(ID);
    journal.sweep();
    expect(filesWith(path, "qsecret")).toEqual([]);
    expect(await found(journal, "common")).toHaveLength(60);
    journal.close();
    const words = indexedWords(path);
    expect(words.filter((word) => word.startsWith("qsecret"))).toEqual([]);
    expect(words.filter((word) => word.startsWith("zkept"))).toHaveLength(61);
    expect(filesWith(path, "qsecret")).toEqual([]);
    // The next host takes the index in the file for complete.
    const again = openJournal(path);
    expect(await found(again, "zkept7")).toHaveLength(1);
    again.close();
  });

  test("of a turn that was trimmed, which nobody finds before it is swept either", async () => {
    const path = temporaryPath();
    const journal = openJournal(path, { maxSessionBytes: 20_000 });
    await journal.create(sessionRow(ID));
    const long = (key: string) => ({ ...turn(key), turnId: "x".repeat(1_000) });
    for (let index = 0; index < 19; index += 1) {
      const text = saidAt(1_000 + index, `needle qword${index}.`);
      await journal.commit(ID, {
        texts: [text],
        turns: [long(text.entry)],
        snapshot: initialSession,
      });
    }
    await journal.commit(ID, {
      texts: [saidAt(2_000, "needle of the state")],
      entries: [entry("x".repeat(2_000))],
    });
    await journal.commit(ID, { entries: [entry("next")] });
    const kept = (await journal.turnsBefore(ID, undefined, 100)).entries.map(({ key }) => key);
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.length).toBeLessThan(19);
    const expected = [
      "needle of the state",
      ...kept.toReversed().map((key) => `needle qword${Number(key.slice(1)) - 1_000}.`),
    ];
    expect(await found(journal, "needle")).toEqual(expected);
    expect(filesWith(path, "qword0")).not.toEqual([]);
    journal.sweep();
    expect(await found(journal, "needle")).toEqual(expected);
    expect(filesWith(path, "qword0")).toEqual([]);
    journal.close();
    expect(indexedWords(path).filter((word) => word.startsWith("qword"))).toHaveLength(kept.length);
  });
});

describe("a journal of a host without a search", () => {
  const said = (key: string, text: string) => ({
    ...turn(key),
    sentAt: 5_000,
    items: [{ kind: "user", key: `${key}-1`, text, source: "host" } as const],
  });

  async function oldJournal(): Promise<string> {
    const path = temporaryPath();
    const journal = await journalOf(path);
    await journal.create({ ...sessionRow("later"), updatedAt: 9 });
    const turns = Array.from({ length: 25 }, (_, index) => said(`t${index}`, `needle ${index}`));
    await journal.commit(ID, { turns });
    journal.close();
    const db = openDatabase(path);
    withoutTexts(db);
    db.close();
    return path;
  }

  async function untilWhole(journal: Journal): Promise<void> {
    while ((await journal.search({ text: "x", limit: 1 })).isPartial) await Bun.sleep(1);
  }

  test("tells which sessions are still to be indexed, those that were used last first", async () => {
    const journal = openJournal(await oldJournal());
    expect(await journal.unindexed()).toEqual(["later", ID]);
    expect((await journal.search({ text: "needle", limit: 9 })).isPartial).toBe(true);
    journal.close();
  });

  test("is indexed bit by bit, goes on after a kill, and ends", async () => {
    const path = await oldJournal();
    const first = openJournal(path);
    await first.commit("later", { indexesState: true });
    await first.commit(ID, { texts: [saidAt(6_000, "needle of the state")], indexesState: true });
    first.close();
    const journal = openJournal(path);
    expect(await journal.unindexed()).toEqual([]);
    await untilWhole(journal);
    const all = await found(journal, "needle");
    expect(all).toHaveLength(26);
    expect(all[0]).toBe("needle of the state");
    journal.close();
    const again = openJournal(path);
    expect(await found(again, "needle")).toEqual(all);
    expect((await again.search({ text: "needle", limit: 1 })).isPartial).toBe(false);
    again.close();
  });

  test("has the text that was indexed meanwhile, not the one before", async () => {
    const journal = openJournal(await oldJournal());
    await journal.commit("later", { indexesState: true });
    const changed = {
      entry: "t3",
      item: "t3-1",
      kind: "user",
      at: 7_000,
      text: "changed",
    } as const;
    await journal.commit(ID, { texts: [changed] });
    await journal.commit(ID, { indexesState: true });
    await untilWhole(journal);
    expect(await found(journal, "needle")).toHaveLength(24);
    expect(await found(journal, "changed")).toEqual(["changed"]);
    journal.close();
  });

  test("loses a session that is deleted before it is indexed", async () => {
    const journal = openJournal(await oldJournal());
    await journal.commit("later", { indexesState: true });
    await journal.commit(ID, { indexesState: true });
    await journal.delete(ID);
    await untilWhole(journal);
    expect(await found(journal, "needle")).toEqual([]);
    journal.close();
  });
});
