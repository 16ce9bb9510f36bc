/** The searchable parts of a session, and the time from which they are searchable. */
import { expect, test } from "bun:test";
import { withoutTexts } from "../../journal/__tests__/support/old-journal.ts";
import { marked } from "../../journal/__tests__/support/search-table.ts";
import { temporaryPath } from "../../journal/__tests__/support/temporary-path.ts";
import { openDatabase } from "../../journal/database.ts";
import type { Journal } from "../../journal/journal.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { partial, said, turnComplete, turnStarted, wholeTurn } from "./support/bridge-words.ts";
import type { Draft } from "./support/fake-bridge.ts";
import { SessionHarness } from "./support/session-harness.ts";

/** Hits as `kind: text`, latest first. */
async function found(journal: Journal, text: string): Promise<readonly string[]> {
  const { hits } = await journal.search({ text, limit: 100 });
  return hits.map((hit) => `${hit.kind}: ${marked(hit)}`);
}

function call(turn_id: string, tool_use_id: string, input: object): Draft {
  const place = { msg_id: `msg_${turn_id}`, block_index: 1, status: "running" };
  return { type: "tool_use", turn_id, tool_use_id, tool_name: "Bash", input, ...place };
}

test("texts of a person and of Claude are found with their place and time", async () => {
  const harness = await SessionHarness.open();
  const session = await harness.create();
  harness.now = () => 7_000;
  const { message_id } = await session.message({ message: "where is the needle" });
  await harness.say(...wholeTurn("t1", message_id, "where is the needle"));
  expect(await found(harness.journal, "needle")).toEqual([
    "text: You said: where is the [needle]",
    "user: where is the [needle]",
  ]);
  const { hits } = await harness.journal.search({ text: "needle", limit: 1 });
  const { state } = await session.snapshot();
  const entry = [...state.entries, ...state.openEntries].find(({ key }) => key === hits[0]?.entry);
  expect(entry?.items.map(({ key }) => key)).toContain(hits[0]?.item ?? "");
  expect(hits[0]?.session).toBe(session.id);
  expect(Math.abs((hits[0]?.at ?? 0) - 7_000)).toBeLessThan(10);
});

test("a text that is being written is found once it is complete", async () => {
  const harness = await SessionHarness.open();
  await harness.create();
  await harness.say(turnStarted("t1"), partial("t1", "a nee"), partial("t1", "dle"));
  expect(await found(harness.journal, "needle")).toEqual([]);
  await harness.say(said("t1", "a needle"));
  expect(await found(harness.journal, "needle")).toEqual(["text: a [needle]"]);
});

test("a call is found by its tool and by all that it is given, and by the beginning of its result", async () => {
  const harness = await SessionHarness.open();
  await harness.create();
  await harness.say(
    turnStarted("t1"),
    call("t1", "toolu_1", { command: "grep needle", deep: { path: ["/hay/stack.ts"] } }),
  );
  expect(await found(harness.journal, "stack.ts bash")).toEqual([
    "tool: [Bash] grep needle /hay/[stack.ts]",
  ]);
  const output = `a needle ${"x ".repeat(3_000)} the end`;
  await harness.say({
    type: "tool_result",
    turn_id: "t1",
    tool_use_id: "toolu_1",
    output,
    is_error: false,
  });
  expect((await found(harness.journal, "needle"))[0]).toStartWith("result: a [needle] x");
  expect(await found(harness.journal, "needle")).toHaveLength(2);
  expect(await found(harness.journal, "end")).toEqual([]);
});

test("the work of an agent is found in its turn", async () => {
  const harness = await SessionHarness.open();
  await harness.create();
  const agent = { ...said("t1", "the needle of an agent"), parent_tool_use_id: "toolu_1" };
  await harness.say(turnStarted("t1"), call("t1", "toolu_1", { prompt: "look" }), agent);
  expect(await found(harness.journal, "needle")).toEqual(["text: the [needle] of an agent"]);
});

test("a text is in the index by the same commit as the entry that it follows from", async () => {
  const journal = openJournal(":memory:");
  const harness = await SessionHarness.open(journal);
  await harness.create();
  const commits: boolean[] = [];
  const commit = journal.commit.bind(journal);
  journal.commit = async (id, change) => {
    const written = await commit(id, change);
    const isSaid = (change.entries ?? []).some(({ data }) => data.includes("needle"));
    if (isSaid) commits.push((await found(journal, "needle")).length > 0);
    return written;
  };
  await harness.say(turnStarted("t1"), said("t1", "a needle"));
  expect(commits).toEqual([true]);
});

test("the host that opens a journal from before the search indexes it, the past as the present", async () => {
  const path = temporaryPath();
  const before = await SessionHarness.open(openJournal(path));
  before.now = () => 4_000;
  await before.create();
  for (let turn = 0; turn < 130; turn += 1)
    await before.say(
      turnStarted(`t${turn}`),
      said(`t${turn}`, `needle ${turn}`),
      turnComplete(`t${turn}`),
    );
  const expected = await found(before.journal, "needle");
  expect(expected).toHaveLength(100);
  await before.sessions.close();
  const db = openDatabase(path);
  withoutTexts(db);
  db.close();
  const journal = openJournal(path);
  const after = await SessionHarness.open(journal);
  const search = () => journal.search({ text: "needle", limit: 200 });
  while ((await search()).isPartial) await Bun.sleep(1);
  const { hits } = await search();
  expect(new Set(hits.map(({ snippet }) => snippet)).size).toBe(130);
  expect(await journal.unindexed()).toEqual([]);
  await after.sessions.close();
});
