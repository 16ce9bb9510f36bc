import { describe, expect, test } from "bun:test";
import { initialSession } from "../../../client/reduce-session.ts";
import type { PromptRow, QueuedRow } from "../journal.ts";
import { openJournal } from "../sqlite-journal.ts";
import { entry, sessionRow, turn } from "./support/samples.ts";
import { temporaryPath } from "./support/temporary-path.ts";

const ID = "00000000-0000-4000-8000-000000000001";

function journalWithSession() {
  const journal = openJournal(":memory:", { now: () => 1_000 });
  journal.create(sessionRow(ID));
  return journal;
}

const PROMPT: PromptRow = {
  requestId: "r1",
  prompt: {
    type: "approval",
    sessionId: ID,
    stageId: ID,
    requestId: "r1",
    toolUseId: "toolu_1",
    createdAt: 5,
    toolName: "Bash",
    input: { command: "ls" },
    suggestions: [],
  },
};

const QUEUED: QueuedRow = {
  messageId: "m1",
  position: 2,
  message: "second",
  attachments: [],
  delivery: "queue",
  queuedAt: 7,
};

describe("a journal", () => {
  test("gives each entry the next number of its session, and its epoch is the time of creation", () => {
    const journal = journalWithSession();
    journal.create(sessionRow("other"));
    journal.commit(ID, { entries: [entry("a"), entry("b")] });
    const [added] = journal.commit(ID, { entries: [entry("c")] });
    expect(added).toEqual({ epoch: 1_000, seq: 3, ...entry("c") });
    expect(journal.commit("other", { entries: [entry("x")] })).toEqual([
      { epoch: 1_000, seq: 1, ...entry("x") },
    ]);
    expect(journal.load(ID)?.cursor).toEqual({ epoch: 1_000, seq: 3 });
  });

  test("gives the entries after a cursor up to a number of characters, and always one", () => {
    const journal = journalWithSession();
    const added = journal.commit(ID, { entries: ["a", "b", "c", "d"].map(entry) });
    const after = journal.start(ID);
    const [first, second] = added;
    expect(journal.entriesAfter(ID, after, 1)).toEqual(added.slice(0, 1));
    const two = (first?.data.length ?? 0) + (second?.data.length ?? 0);
    expect(journal.entriesAfter(ID, after, two)).toEqual(added.slice(0, 2));
    expect(journal.entriesAfter(ID, after, 10_000)).toEqual(added);
    expect(journal.entriesAfter(ID, { epoch: 1_000, seq: 3 }, 10_000)).toEqual(added.slice(3));
    expect(journal.entriesAfter(ID, { epoch: 1_000, seq: 4 }, 10_000)).toEqual([]);
  });

  test.each([
    ["of another epoch", ID, { epoch: 999, seq: 0 }],
    ["beyond the end", ID, { epoch: 1_000, seq: 2 }],
    ["of an unknown session", "unknown", { epoch: 1_000, seq: 0 }],
  ])("has a gap after a cursor %s", (_name, id, after) => {
    const journal = journalWithSession();
    journal.commit(ID, { entries: [entry("a")] });
    expect(journal.entriesAfter(id, after, 1_000)).toBe("gap");
  });

  test("keeps the fields of a session, changes those of a commit and leaves out those it unsets", () => {
    const journal = journalWithSession();
    const bridge = { pid: 7, at: 9 };
    journal.commit(ID, { session: { title: "New", model: "opus", bridge, inFlight: "m1" } });
    journal.commit(ID, { session: { updatedAt: 12 }, unset: ["bridge", "inFlight"] });
    const expected = { ...sessionRow(ID), title: "New", model: "opus", updatedAt: 12 };
    expect(journal.load(ID)?.row).toEqual(expected);
    expect(journal.sessions()).toEqual([expected]);
  });

  test("finds the session that a request has created", () => {
    const journal = openJournal(":memory:");
    journal.create({ ...sessionRow(ID), requestId: "r-1" });
    journal.create(sessionRow("other"));
    expect(journal.sessionOfRequest("r-1")?.id).toBe(ID);
    expect(journal.sessionOfRequest("r-2")).toBeUndefined();
    expect(() => journal.create({ ...sessionRow("third"), requestId: "r-1" })).toThrow("UNIQUE");
  });

  test("keeps the queue in the order of the positions", () => {
    const journal = journalWithSession();
    const first = { ...QUEUED, messageId: "m0", position: 1, message: "first" };
    journal.commit(ID, { queued: [QUEUED, first] });
    journal.commit(ID, { queued: [{ ...QUEUED, message: "edited" }] });
    expect(journal.load(ID)?.messages).toEqual([first, { ...QUEUED, message: "edited" }]);
    journal.commit(ID, { unqueued: ["m0"] });
    expect(journal.load(ID)?.messages.map(({ messageId }) => messageId)).toEqual(["m1"]);
  });

  test("loads the open prompts, and finds closed ones by request and by tool call", () => {
    const journal = journalWithSession();
    const open: PromptRow = { ...PROMPT, requestId: "r2" };
    journal.commit(ID, { prompts: [PROMPT, open] });
    const closed: PromptRow = { ...PROMPT, end: { outcome: "allow", by: "phone", at: 8 } };
    journal.commit(ID, { prompts: [closed] });
    expect(journal.load(ID)?.openPrompts).toEqual([open]);
    expect(journal.prompt(ID, "r1")).toEqual(closed);
    expect(journal.prompt(ID, "r3")).toBeUndefined();
    expect(journal.promptOfTool(ID, "toolu_1")).toEqual(open);
    expect(journal.promptOfTool("unknown", "toolu_1")).toBeUndefined();
  });

  test("remembers the answer to a client's command", () => {
    const journal = journalWithSession();
    const reply = { clientId: "c1", hash: "h", status: 200, body: { status: "sent" } };
    journal.commit(ID, { reply });
    expect(journal.reply(ID, "c1")).toEqual(reply);
    expect(journal.reply(ID, "c2")).toBeUndefined();
  });

  test("loads the latest snapshot with the cursor of the commit that it came with", () => {
    const journal = journalWithSession();
    expect(journal.snapshot(ID)).toBeUndefined();
    const state = { ...initialSession, title: "Snapshot" };
    journal.commit(ID, { entries: [entry("a"), entry("b")], snapshot: state });
    journal.commit(ID, { entries: [entry("c")] });
    expect(journal.snapshot(ID)).toEqual({ cursor: { epoch: 1_000, seq: 2 }, state });
    expect(journal.load(ID)?.cursor.seq).toBe(3);
  });

  test("pages through the turns from the latest one to the first", () => {
    const journal = journalWithSession();
    const turns = ["t1", "t2", "t3", "t4", "t5"].map(turn);
    journal.commit(ID, { turns: turns.slice(0, 2) });
    journal.commit(ID, { turns: turns.slice(2) });
    expect(journal.turnsBefore(ID, undefined, 2)).toEqual({
      entries: turns.slice(3),
      before: "t4",
    });
    expect(journal.turnsBefore(ID, "t4", 2)).toEqual({ entries: turns.slice(1, 3), before: "t2" });
    expect(journal.turnsBefore(ID, "t2", 2)).toEqual({ entries: turns.slice(0, 1) });
    expect(journal.turnsBefore(ID, "unknown", 2)).toEqual({ entries: [] });
  });

  test("keeps a turn that is written again in its place", () => {
    const journal = journalWithSession();
    journal.commit(ID, { turns: ["t1", "t2"].map(turn) });
    const again = { ...turn("t1"), messageIds: ["m9"] };
    journal.commit(ID, { turns: [again, turn("t3")] });
    expect(journal.turnsBefore(ID, undefined, 9).entries).toEqual([again, turn("t2"), turn("t3")]);
  });

  test("keeps nothing of a commit that fails", () => {
    const journal = journalWithSession();
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const reply = { clientId: "c1", hash: "h", status: 200, body: circular };
    expect(() => journal.commit(ID, { entries: [entry("a")], queued: [QUEUED], reply })).toThrow();
    expect(journal.load(ID)?.cursor.seq).toBe(0);
    expect(journal.load(ID)?.messages).toEqual([]);
    expect(journal.commit(ID, { entries: [entry("b")] })[0]?.seq).toBe(1);
  });

  test("refuses a commit to an unknown session", () => {
    const journal = openJournal(":memory:");
    expect(() => journal.commit("unknown", { entries: [entry("a")] })).toThrow(
      "no session unknown",
    );
  });

  test("has nothing left of a deleted session", () => {
    const journal = journalWithSession();
    journal.create(sessionRow("other"));
    journal.commit(ID, { entries: [entry("a")], turns: [turn("t1")], queued: [QUEUED] });
    journal.commit("other", { entries: [entry("b")] });
    journal.delete(ID);
    expect(journal.load(ID)).toBeUndefined();
    expect(journal.turnsBefore(ID, undefined, 5)).toEqual({ entries: [] });
    expect(journal.sessions().map(({ id }) => id)).toEqual(["other"]);
    expect(journal.entriesAfter("other", journal.start("other"), 100)).toHaveLength(1);
    journal.create(sessionRow(ID));
    expect(journal.load(ID)?.messages).toEqual([]);
  });

  test("knows what each session takes", () => {
    const journal = journalWithSession();
    const [before] = journal.sizes();
    const data = JSON.stringify({ text: "é".repeat(500) });
    journal.commit(ID, { entries: [{ type: "t", data }], queued: [QUEUED] });
    const [after] = journal.sizes();
    expect(before).toMatchObject({ id: ID, entries: 0 });
    expect(after?.entries).toBe(1);
    expect((after?.bytes ?? 0) - (before?.bytes ?? 0)).toBeGreaterThan(1_000);
  });

  test("knows the trusted folders of each place, and what each granted last", () => {
    const journal = openJournal(":memory:");
    journal.trust("local", "/work/a", ["one"]);
    journal.trust("local", "/work/a", ["one", "two"]);
    expect(journal.trustedGrants("local", "/work/a")).toEqual(["one", "two"]);
    expect(journal.trustedGrants("local", "/work")).toBeUndefined();
    expect(journal.trustedGrants("build-box", "/work/a")).toBeUndefined();
  });

  test("has all of it after it is opened again", () => {
    const path = temporaryPath();
    const first = openJournal(path);
    first.create(sessionRow(ID));
    first.commit(ID, { entries: [entry("a")], queued: [QUEUED], prompts: [PROMPT] });
    const loaded = first.load(ID);
    first.close();
    const second = openJournal(path);
    expect(second.load(ID)).toEqual(loaded);
    second.close();
  });
});
