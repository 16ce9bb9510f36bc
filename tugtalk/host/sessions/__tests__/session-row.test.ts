/** The changes by messages of a bridge in the row of their session: above all, how Claude is started next. */
import { expect, test } from "bun:test";
import type { OutboundMessage } from "../../../src/types.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import type { SessionRow } from "../../journal/journal.ts";
import { rowAfter } from "../session-row.ts";
import { forkOf, newRow, protocolInit } from "../session-start.ts";
import { processExit, status, turnComplete, turnStarted } from "./support/bridge-words.ts";
import type { Draft } from "./support/fake-bridge.ts";

const INIT: Draft = { type: "session_init", session_id: "c1", mode: "new" };
const CLEARED: Draft = { type: "session_init", session_id: "c2", mode: "clear" };

/** The row after messages. The test writes them as the bridge would. */
function after(row: SessionRow, messages: readonly Draft[]): SessionRow {
  return messages.reduce(
    (before, one) => rowAfter(before, one as unknown as OutboundMessage, true),
    row,
  );
}

const WANTED = { dir: "/work", place: "local" };
const FORK = { mode: "fork", session_id: "old", at_message: "m1" };
const RESUMED = { mode: "resume", session_id: "old", at_message: "m1" };

const ROWS = [
  { name: "of a new session begins a conversation", wanted: {}, said: [], choice: { mode: "new" } },
  {
    name: "where nothing was said begins a conversation again",
    wanted: {},
    said: [INIT],
    choice: { mode: "new" },
  },
  {
    name: "after the first turn has begun resumes the conversation",
    wanted: {},
    said: [INIT, turnStarted()],
    choice: { mode: "resume", session_id: "c1" },
  },
  {
    name: "of a fork where nothing was said forks again",
    wanted: { resume: "old", fork: true, at_message: "m1" },
    said: [INIT],
    choice: FORK,
  },
  {
    name: "of a fork in which a turn has begun resumes it",
    wanted: { resume: "old", fork: true, at_message: "m1" },
    said: [INIT, turnStarted()],
    choice: { mode: "resume", session_id: "c1" },
  },
  {
    name: "of a conversation that is cut names the place until a turn is complete",
    wanted: { resume: "old", at_message: "m1" },
    said: [{ ...INIT, session_id: "old" }, turnStarted()],
    choice: RESUMED,
  },
  {
    name: "of a conversation that was cut resumes its end once a turn is complete",
    wanted: { resume: "old", at_message: "m1" },
    said: [{ ...INIT, session_id: "old" }, turnStarted(), turnComplete()],
    choice: { mode: "resume", session_id: "old" },
  },
  {
    name: "after /clear begins a conversation",
    wanted: {},
    said: [INIT, turnStarted(), CLEARED],
    choice: { mode: "new" },
  },
  {
    name: "after a turn that followed /clear resumes the cleared conversation",
    wanted: {},
    said: [INIT, turnStarted(), CLEARED, turnStarted("t2")],
    choice: { mode: "resume", session_id: "c2" },
  },
];

test.each(ROWS)("a start $name", ({ wanted, said, choice }) => {
  const row = newRow({ ...WANTED, ...wanted }, { id: "s", now: 1 });
  expect(protocolInit(after(row, said)).session).toEqual(choice as never);
});

test("a start has the settings that Claude had last", () => {
  const row = newRow({ ...WANTED, model: "opus" }, { id: "s", now: 1 });
  const said = [
    { type: "permission_mode_changed", mode: "acceptEdits", source: "claude" },
    { type: "model_changed", model: null, source: "host" },
  ];
  const init = protocolInit(after(row, said));
  expect(init.permission_mode).toBe("acceptEdits");
  expect(init).not.toHaveProperty("model");
});

test("a permission mode that does not exist is refused by the name of its field", () => {
  let refusal: unknown;
  try {
    newRow({ ...WANTED, permission_mode: "none" }, { id: "s", now: 1 });
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ status: 400, body: { field: "permission_mode" } });
});

test("Claude is started in the repository of its worktree, and elsewhere in the folder of the session", () => {
  const dirOf = (dir: string) =>
    protocolInit(newRow({ ...WANTED, dir, options: { worktree: "n" } }, { id: "s", now: 1 })).dir;
  expect(dirOf("/work/.claude/worktrees/n")).toBe("/work");
  // On another machine the host does not know the root of the repository.
  for (const dir of ["/work", "/work/.claude/worktrees/other"]) expect(dirOf(dir)).toBe(dir);
});

test("a start leaves out a permission mode of Claude's that the bridge does not know", () => {
  const row = newRow(WANTED, { id: "s", now: 1 });
  const changed = { type: "permission_mode_changed", mode: "tomorrow", source: "claude" };
  expect(protocolInit(after(row, [changed]))).not.toHaveProperty("permission_mode");
});

test("a message is in flight until its last receipt, and no other receipt ends that", () => {
  const row = { ...sessionRow("s"), inFlight: "m1" };
  const receipts = [status("m1", "queued"), status("m1", "started"), status("m2", "completed")];
  expect(after(row, receipts).inFlight).toBe("m1");
  for (const word of ["completed", "cancelled", "rejected", "failed"])
    expect(after(row, [status("m1", word)])).not.toHaveProperty("inFlight");
});

test("the mark of a bridge has its Claude until that has ended", () => {
  const row = { ...sessionRow("s"), bridge: { pid: 1, at: 2 } };
  const started = after(row, [{ type: "process_started", pid: 7, args: [] }]);
  expect(started.bridge).toEqual({ pid: 1, at: 2, claudePid: 7 });
  expect(after(started, [processExit(true)]).bridge).toEqual({ pid: 1, at: 2 });
});

test("a fork of a session in which nothing was said starts as that one was to start", () => {
  const row = newRow(
    { ...WANTED, resume: "old", fork: true, at_message: "m1" },
    { id: "s", now: 1 },
  );
  expect(forkOf(after(row, [INIT]), undefined, [])).toMatchObject({
    resume: "old",
    at_message: "m1",
  });
  const empty = newRow({ ...WANTED }, { id: "s", now: 1 });
  expect(forkOf(after(empty, [INIT]), undefined, [])).not.toHaveProperty("resume");
});

/** The title of the original, the titles of all sessions, the title of the fork. */
const FORK_TITLES: readonly [string, string[], string][] = [
  ["Fix", ["Fix"], "Fix (Fork)"],
  ["Fix", ["Fix", "Fix (Fork)", "Fix (Fork 2)"], "Fix (Fork 3)"],
  ["Fix (Fork)", ["Fix", "Fix (Fork)"], "Fix (Fork 2)"],
  ["Fix (Fork 9)", ["Fix (Fork 9)"], "Fix (Fork)"],
  ["", [""], ""],
];

test.each(FORK_TITLES)("a fork of %p among %j is called %p", (title, titles, expected) => {
  const row = { ...sessionRow("s"), title };
  const others = titles.map((one) => ({ title: one }));
  expect(forkOf(row, undefined, others).title).toBe(expected);
});
