/** The tests that each kind of journal has to pass. */
import { expect, test } from "bun:test";
import { initialSession } from "../../../../client/reduce-session.ts";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import type { Commit, Journal } from "../../journal.ts";
import type { JournalOptions } from "../../sqlite-journal.ts";
import type { FileChange } from "../../transcript-copy.ts";
import { entry, sessionRow, turn } from "./samples.ts";

/** Opens a journal without sessions. */
export type OpenJournal = (options?: JournalOptions) => Promise<Journal>;

const ID = "00000000-0000-4000-8000-000000000001";

async function journalWithSession(open: OpenJournal): Promise<Journal> {
  const journal = await open({ now: () => 1_000 });
  await journal.create(sessionRow(ID));
  return journal;
}

const QUARTER = 15 * 60_000;
const ATTACHMENTS = [{ filename: "a.txt", content: "x", media_type: "text/plain" }];
const ATTACHED: Commit = { attached: new Map([["m1", ATTACHMENTS]]) };

function added(file: string, offset: number, ...lines: readonly string[]): FileChange {
  return { file, added: { offset, lines } };
}

async function linesOf(journal: Journal): Promise<readonly string[]> {
  const lines = await journal.transcriptAfter(ID, "c", undefined, 1_000);
  return lines.map(({ file, start, line }) => `${file} ${start} ${line}`);
}

export function journalCases(open: OpenJournal): void {
  test("gives each entry the next number of its session, and its epoch is the time of creation", async () => {
    const journal = await journalWithSession(open);
    await journal.create(sessionRow("other"));
    await journal.commit(ID, { entries: [entry("a"), entry("b")] });
    const [added] = await journal.commit(ID, { entries: [entry("c")] });
    expect(added).toEqual({ epoch: 1_000, seq: 3, ...entry("c") });
    expect(await journal.commit("other", { entries: [entry("x")] })).toEqual([
      { epoch: 1_000, seq: 1, ...entry("x") },
    ]);
    expect((await journal.load(ID))?.cursor).toEqual({ epoch: 1_000, seq: 3 });
  });

  test("gives the entries after a cursor up to a number of characters, and always one", async () => {
    const journal = await journalWithSession(open);
    const added = await journal.commit(ID, { entries: ["a", "b", "c", "d"].map(entry) });
    const after = (await journal.range(ID)).start;
    const [first, second] = added;
    expect(await journal.entriesAfter(ID, after, 1)).toEqual(added.slice(0, 1));
    const two = (first?.data.length ?? 0) + (second?.data.length ?? 0);
    expect(await journal.entriesAfter(ID, after, two)).toEqual(added.slice(0, 2));
    expect(await journal.entriesAfter(ID, after, 10_000)).toEqual(added);
    expect(await journal.entriesAfter(ID, { epoch: 1_000, seq: 3 }, 10_000)).toEqual(
      added.slice(3),
    );
    expect(await journal.entriesAfter(ID, { epoch: 1_000, seq: 4 }, 10_000)).toEqual([]);
  });

  test.each([
    ["of another epoch", ID, { epoch: 999, seq: 0 }],
    ["beyond the end", ID, { epoch: 1_000, seq: 2 }],
    ["of an unknown session", "unknown", { epoch: 1_000, seq: 0 }],
  ])("has a gap after a cursor %s", async (_name, id, after) => {
    const journal = await journalWithSession(open);
    await journal.commit(ID, { entries: [entry("a")] });
    expect(await journal.entriesAfter(id, after, 1_000)).toBe("gap");
  });

  test("keeps the latest row of a session", async () => {
    const journal = await journalWithSession(open);
    const bridge = { pid: 7, at: 9 };
    await journal.commit(ID, { row: { ...sessionRow(ID), title: "New", bridge, inFlight: "m1" } });
    const row = { ...sessionRow(ID), title: "Newer" };
    await journal.commit(ID, { row });
    await journal.commit(ID, { entries: [entry("a")] });
    expect((await journal.load(ID))?.row).toEqual(row);
    expect(await journal.sessions()).toEqual([row]);
  });

  test("finds the session that a request has created", async () => {
    const journal = await open();
    await journal.create({ ...sessionRow(ID), requestId: "r-1" });
    await journal.create(sessionRow("other"));
    expect((await journal.sessionOfRequest("r-1"))?.id).toBe(ID);
    expect(await journal.sessionOfRequest("r-2")).toBeUndefined();
    expect(
      String(await failureOf(journal.create({ ...sessionRow("third"), requestId: "r-1" }))),
    ).toMatch(/unique/i);
  });

  test("adds up the cost of a session in a quarter of an hour", async () => {
    const journal = await journalWithSession(open);
    await journal.create(sessionRow("other"));
    await journal.commit(ID, { cost: { at: QUARTER, usd: 0.5 } });
    await journal.commit(ID, { cost: { at: 2 * QUARTER - 1, usd: 0.25 } });
    await journal.commit(ID, { cost: { at: 2 * QUARTER, usd: 2 } });
    await journal.commit("other", { cost: { at: QUARTER, usd: 4 } });
    expect(await journal.costs(QUARTER)).toEqual([
      { id: ID, at: QUARTER, usd: 0.75 },
      { id: "other", at: QUARTER, usd: 4 },
      { id: ID, at: 2 * QUARTER, usd: 2 },
    ]);
    expect(await journal.costs(3 * QUARTER - 1)).toEqual([{ id: ID, at: 2 * QUARTER, usd: 2 }]);
  });

  test("keeps the cost of deleted sessions, as one sum that names none of them", async () => {
    const journal = await journalWithSession(open);
    await journal.create(sessionRow("other"));
    for (const id of [ID, "other"]) await journal.commit(id, { cost: { at: QUARTER, usd: 0.5 } });
    await journal.delete(ID);
    expect(await journal.costs(0)).toEqual([
      { at: QUARTER, usd: 0.5 },
      { id: "other", at: QUARTER, usd: 0.5 },
    ]);
    await journal.delete("other");
    await journal.delete("unknown");
    expect(await journal.costs(0)).toEqual([{ at: QUARTER, usd: 1 }]);
  });

  test("has no cost of a commit that it has not taken", async () => {
    const journal = await journalWithSession(open);
    const reply = { clientId: "c", hash: "h", body: {} };
    const twice = { messageId: "m", status: "taken" } as const;
    const failed = { replies: [reply], cost: { at: 0, usd: 1 }, endedMessages: [twice, twice] };
    await failureOf(journal.commit(ID, failed));
    expect(await journal.costs(0)).toEqual([]);
  });

  test("keeps the attachments of a message until they are detached", async () => {
    const journal = await journalWithSession(open);
    await journal.commit(ID, { attached: new Map([["m0", []], ...(ATTACHED.attached ?? [])]) });
    await journal.commit(ID, { detached: ["m0", "m9"] });
    expect((await journal.load(ID))?.attachments).toEqual(new Map([["m1", ATTACHMENTS]]));
  });

  test("loads the latest snapshot with the cursor of the commit that it came with", async () => {
    const journal = await journalWithSession(open);
    expect(await journal.snapshot(ID)).toBeUndefined();
    const state = { ...initialSession, title: "Snapshot" };
    await journal.commit(ID, { entries: [entry("a"), entry("b")], snapshot: state });
    await journal.commit(ID, { entries: [entry("c")] });
    expect(await journal.snapshot(ID)).toEqual({ cursor: { epoch: 1_000, seq: 2 }, state });
    expect((await journal.load(ID))?.cursor.seq).toBe(3);
  });

  test("pages through the turns from the latest one to the first", async () => {
    const journal = await journalWithSession(open);
    const turns = ["t1", "t2", "t3", "t4", "t5"].map(turn);
    await journal.commit(ID, { turns: turns.slice(0, 2) });
    await journal.commit(ID, { turns: turns.slice(2) });
    expect(await journal.turnsBefore(ID, undefined, 2)).toEqual({
      entries: turns.slice(3),
      before: "t4",
    });
    expect(await journal.turnsBefore(ID, "t4", 2)).toEqual({
      entries: turns.slice(1, 3),
      before: "t2",
    });
    expect(await journal.turnsBefore(ID, "t2", 2)).toEqual({ entries: turns.slice(0, 1) });
    expect(await journal.turnsBefore(ID, "unknown", 2)).toEqual({ entries: [] });
  });

  test("keeps a turn that is written again in its place", async () => {
    const journal = await journalWithSession(open);
    await journal.commit(ID, { turns: ["t1", "t2"].map(turn) });
    const again = { ...turn("t1"), messageIds: ["m9"] };
    await journal.commit(ID, { turns: [again, turn("t3")] });
    expect((await journal.turnsBefore(ID, undefined, 9)).entries).toEqual([
      again,
      turn("t2"),
      turn("t3"),
    ]);
  });

  test("keeps nothing of a commit that fails", async () => {
    const journal = await journalWithSession(open);
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const reply = { clientId: "c1", hash: "h", body: circular };
    expect(
      String(
        await failureOf(
          journal.commit(ID, { entries: [entry("a")], ...ATTACHED, replies: [reply] }),
        ),
      ),
    ).toContain("cyclic");
    expect((await journal.load(ID))?.cursor.seq).toBe(0);
    expect((await journal.load(ID))?.attachments.size).toBe(0);
    expect((await journal.commit(ID, { entries: [entry("b")] }))[0]?.seq).toBe(1);
  });

  test("refuses a commit to an unknown session", async () => {
    const journal = await open();
    expect(String(await failureOf(journal.commit("unknown", { entries: [entry("a")] })))).toContain(
      "no session unknown",
    );
  });

  test("keeps the lines of Claude's files in their places, however often and in whatever pieces they come", async () => {
    const journal = await journalWithSession(open);
    await journal.commit(ID, {
      transcript: [added("c.jsonl", 0, "one", "two"), added("c/subagents/agent-1.jsonl", 0, "é")],
    });
    await journal.commit(ID, { transcript: [added("c.jsonl", 8, "three")] });
    await journal.commit(ID, {
      transcript: [
        added("c.jsonl", 0, "one"),
        added("c.jsonl", 4, "two", "three"),
        added("c/subagents/agent-1.jsonl", 3, "four"),
        added("other.jsonl", 0, "of another conversation"),
      ],
    });
    expect(await linesOf(journal)).toEqual([
      "c.jsonl 0 one",
      "c.jsonl 4 two",
      "c.jsonl 8 three",
      "c/subagents/agent-1.jsonl 0 é",
      "c/subagents/agent-1.jsonl 3 four",
    ]);
  });

  test("keeps of a file that was written anew only the later lines, also within one commit", async () => {
    const journal = await journalWithSession(open);
    await journal.commit(ID, { transcript: [added("c.jsonl", 0, "one", "two", "three")] });
    await journal.commit(ID, {
      transcript: [added("c.jsonl", 14, "four"), { file: "c.jsonl" }, added("c.jsonl", 0, "uno")],
    });
    expect(await linesOf(journal)).toEqual(["c.jsonl 0 uno"]);
    await journal.commit(ID, {
      transcript: [added("c.jsonl", 4, "dos"), added("c.jsonl", 4, "d", "e")],
    });
    expect(await linesOf(journal)).toEqual(["c.jsonl 0 uno", "c.jsonl 4 d", "c.jsonl 6 e"]);
  });

  test("gives the lines of Claude's files up to a number of characters, and always one", async () => {
    const journal = await journalWithSession(open);
    await journal.commit(ID, { transcript: [added("c.jsonl", 0, "one", "two", "three")] });
    const page = (start: number, chars: number) =>
      journal.transcriptAfter(ID, "c", { file: "c.jsonl", start }, chars);
    const all = await journal.transcriptAfter(ID, "c", undefined, 100);
    expect(all).toHaveLength(3);
    expect(await journal.transcriptAfter(ID, "c", undefined, 1)).toEqual(all.slice(0, 1));
    expect(await page(0, 8)).toEqual(all.slice(1));
    expect(await page(0, 7)).toEqual(all.slice(1, 2));
    expect(await page(8, 7)).toEqual([]);
  });

  test("has nothing left of a deleted session", async () => {
    const journal = await journalWithSession(open);
    await journal.create(sessionRow("other"));
    await journal.commit(ID, { entries: [entry("a")], turns: [turn("t1")], ...ATTACHED });
    await journal.commit(ID, { transcript: [added("c.jsonl", 0, "one")] });
    await journal.commit("other", { entries: [entry("b")] });
    await journal.delete(ID);
    expect(await linesOf(journal)).toEqual([]);
    expect(await journal.load(ID)).toBeUndefined();
    expect(await journal.turnsBefore(ID, undefined, 5)).toEqual({ entries: [] });
    expect((await journal.sessions()).map(({ id }) => id)).toEqual(["other"]);
    expect(
      await journal.entriesAfter("other", (await journal.range("other")).start, 100),
    ).toHaveLength(1);
    await journal.create(sessionRow(ID));
    expect((await journal.load(ID))?.attachments.size).toBe(0);
  });

  test("knows the size of each session", async () => {
    const journal = await journalWithSession(open);
    const [before] = await journal.sizes();
    const data = JSON.stringify({ text: "é".repeat(250) });
    const transcript = [added("c.jsonl", 0, "é".repeat(250))];
    await journal.commit(ID, { entries: [{ type: "t", data }], transcript, ...ATTACHED });
    const [after] = await journal.sizes();
    expect(before).toMatchObject({ id: ID, entries: 0 });
    expect(after?.entries).toBe(1);
    expect((after?.bytes ?? 0) - (before?.bytes ?? 0)).toBeGreaterThan(1_000);
  });

  test("knows the trusted folders of each place, and the last grants of each", async () => {
    const journal = await open();
    await journal.trust("local", "/work/a", ["one"]);
    await journal.trust("local", "/work/a", ["one", "two"]);
    expect(await journal.trustedGrants("local", "/work/a")).toEqual(["one", "two"]);
    expect(await journal.trustedGrants("local", "/work")).toBeUndefined();
    expect(await journal.trustedGrants("build-box", "/work/a")).toBeUndefined();
  });
}
