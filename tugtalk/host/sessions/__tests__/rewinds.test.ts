/**
 * Rewinds to before a message, of files, conversation or both, and the state after a failure or a killed
 * host.
 */
import { expect, test } from "bun:test";
import type { TranscriptEntry } from "../../../client/transcript-models.ts";
import { failureOf } from "../../../testing/drivers/failure.ts";
import type { HostSession } from "../../api/host-session.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import {
  partial,
  processExit,
  prompt,
  said,
  status,
  turnComplete,
  turnStarted,
  wholeTurn,
} from "./support/bridge-words.ts";
import type { Draft, FakeBridge } from "./support/fake-bridge.ts";
import {
  entriesOf,
  openSession,
  reducedOf,
  type SessionHarness,
  settled,
} from "./support/session-harness.ts";

const PATHS = ["/work/a.txt"];
const DRY = { canRewind: true, filesChanged: PATHS, insertions: 2, deletions: 1 };
const FILES = { paths: PATHS, insertions: 2, deletions: 1 };

/** Answers rewinds as Claude does: only a dry run names the files. */
function answersRewinds(bridge: FakeBridge, refusal?: string): void {
  bridge.answers.set("control", (usual, { dry_run }) => {
    const response = dry_run === true ? DRY : { canRewind: true };
    return refusal === undefined || dry_run === true
      ? { ...usual, response }
      : { ...usual, ok: false, error: refusal };
  });
}

/** A session with two turns; `ids[0]` is the message of the first one. */
async function withTurns(journal = openJournal(":memory:")) {
  const { harness, session } = await openSession(journal);
  harness.prepare = answersRewinds;
  answersRewinds(harness.bridge);
  const ids: string[] = [];
  for (const text of ["One", "Two", "Three"]) ids.push(await exchange(harness, session, text));
  const [one = "", two = "", three = ""] = ids;
  return { harness, session, one, two, three };
}

async function exchange(harness: SessionHarness, session: HostSession, text: string) {
  const { message_id } = await session.message({ message: text });
  await harness.say(...wholeTurn(`turn of ${text}`, message_id, text));
  return message_id;
}

const controls = (bridge: FakeBridge) =>
  bridge.sentOf("control").map(({ dry_run }) => dry_run === true);
const startOf = (bridge: FakeBridge) => bridge.sentOf("protocol_init")[0]?.session;

/** The texts of the turns that Claude knows, and of the turns that it has forgotten. */
async function turnsOf(session: HostSession) {
  const { entries, openEntries } = await reducedOf(session);
  const { state } = await session.snapshot();
  expect([...state.entries, ...state.openEntries]).toEqual([...entries, ...openEntries]);
  const turns = [...entries, ...openEntries].filter(({ kind }) => kind === "turn");
  const textsOf = (list: readonly TranscriptEntry[]) =>
    list.flatMap(({ items }) => items.flatMap((item) => (item.kind === "user" ? [item.text] : [])));
  return {
    known: textsOf(turns.filter(({ isForgotten }) => isForgotten !== true)),
    forgotten: textsOf(turns.filter(({ isForgotten }) => isForgotten)),
    putBack: textsOf(turns.filter(({ isPutBack }) => isPutBack)),
  };
}

async function rewoundIn(session: HostSession): Promise<unknown[]> {
  const entries = await entriesOf(session);
  return entries.flatMap(({ type, data }) =>
    type === "session_rewound" ? [JSON.parse(data)] : [],
  );
}

test("files are put back in the session as it runs, and the transcript says which", async () => {
  const { session, harness, two } = await withTurns();
  expect(await session.rewind(two, { files: true })).toEqual(FILES);
  expect(controls(harness.bridge)).toEqual([true, false]);
  expect(harness.bridges).toHaveLength(1);
  const done = { message_id: two, message: "Two", files: FILES, forgotten: false };
  expect(await rewoundIn(session)).toEqual([done]);
  expect(await turnsOf(session)).toEqual({
    known: ["One", "Two", "Three"],
    forgotten: [],
    putBack: ["Two", "Three"],
  });
});

test("Claude is started with the conversation up to the message, and messages that come meanwhile wait for it", async () => {
  const { session, harness, two } = await withTurns();
  const [first] = harness.bridges;
  const { promise, resolve } = Promise.withResolvers<void>();
  harness.opened = promise;
  const rewinding = session.rewind(two, { files: true, conversation: "here" });
  await settled();
  const sending = session.message({ message: "Other" });
  await settled();
  resolve();
  expect(await rewinding).toEqual(FILES);
  expect(await sending).toMatchObject({ status: "sent" });
  expect(first?.isEnded).toBe(true);
  expect(startOf(harness.bridge)).toEqual({ mode: "resume", session_id: "c1", at_message: two });
  expect(harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Other"]);
  const done = { message_id: two, message: "Two", files: FILES, forgotten: true };
  expect(await rewoundIn(session)).toEqual([done]);
  const { known, forgotten } = await turnsOf(session);
  expect({ known, forgotten }).toEqual({ known: ["One"], forgotten: ["Two", "Three"] });
});

test("before the first message that Claude knows, a new conversation begins and the old turns stay in sight", async () => {
  const { session, harness, one, two } = await withTurns();
  await session.rewind(one, { files: false, conversation: "here" });
  await settled();
  expect(startOf(harness.bridge)).toEqual({ mode: "new" });
  expect(await turnsOf(session)).toMatchObject({ known: [], forgotten: ["One", "Two", "Three"] });
  expect(session.info().claude_session_id).toBe("c2");
  const again = session.rewind(two, { files: false, conversation: "here" });
  expect(await failureOf(again)).toMatchObject({ code: "resume_failed" });
  const four = await exchange(harness, session, "Four");
  await session.rewind(four, { files: false, conversation: "here" });
  expect(startOf(harness.bridge)).toEqual({ mode: "new" });
});

test("where Claude has ended by itself, it is started for it", async () => {
  const { session, harness, two } = await withTurns();
  await harness.say(processExit(true), { type: "session_state", state: "exited" });
  expect(await session.previewRewind(two)).toMatchObject({ files: { ok: true, ...FILES } });
  expect(harness.bridges).toHaveLength(2);
  expect(await session.rewind(two, { files: true })).toEqual(FILES);
  expect(harness.bridges).toHaveLength(2);
});

test("a session that has ended is started for it", async () => {
  const { session, harness, two } = await withTurns();
  await session.end();
  expect(await session.previewRewind(two)).toEqual({
    files: { ok: true, ...FILES },
    conversation: { ok: true },
  });
  expect(harness.bridges).toHaveLength(2);
  expect(controls(harness.bridge)).toEqual([true]);
  expect(await rewoundIn(session)).toEqual([]);
});

test("files alone go back while a task in the background asks a person, and it still does", async () => {
  const { session, harness, two } = await withTurns();
  await harness.say(prompt("r1"));
  expect(await session.rewind(two, { files: true })).toEqual(FILES);
  expect((await reducedOf(session)).prompts).toMatchObject([{ requestId: "r1" }]);
});

const BUSY: readonly [string, readonly Draft[]][] = [
  ["a turn runs", [turnStarted("t9"), partial("t9", "Go")]],
  ["a task in the background asks a person", [prompt("r1")]],
];

test.each(BUSY)("it is refused while %s, and nothing is done", async (_name, messages) => {
  const { session, harness, two } = await withTurns();
  await harness.say(...messages);
  const refused = await failureOf(session.rewind(two, { files: true, conversation: "here" }));
  expect(refused).toMatchObject({ status: 409, code: "at_work" });
  expect(controls(harness.bridge)).toEqual([]);
  expect(await rewoundIn(session)).toEqual([]);
});

const NOT_RESUMED: readonly [string, readonly Draft[]][] = [
  [
    "the conversation was summarised since",
    [turnStarted("t9"), { type: "compact_boundary", turn_id: "t9" }, turnComplete("t9")],
  ],
];

test.each(NOT_RESUMED)(
  "a conversation cannot be gone back in where %s, files can",
  async (_name, messages) => {
    const { session, harness, two } = await withTurns();
    await harness.say(...messages);
    for (const conversation of ["here", "fork"] as const) {
      const refused = await failureOf(session.rewind(two, { files: true, conversation }));
      expect(refused).toMatchObject({ status: 409, code: "resume_failed" });
    }
    expect(controls(harness.bridge)).toEqual([]);
    expect(await session.previewRewind(two)).toMatchObject({ conversation: { ok: false } });
    expect(await session.rewind(two, { files: true })).toEqual(FILES);
  },
);

const OUTPUT = { type: "user_text", kind: "command_output", text: "Context", turn_id: "t9" };

/** The version of Claude, its answers to a command, and whether the rewind is tried. */
const COMMANDS: readonly [string | undefined, readonly Draft[], boolean][] = [
  ["2.1.38", [], false],
  ["2.1.197", [], true],
  ["2.1.197", [OUTPUT], false],
  ["2.1.330", [OUTPUT], true],
  [undefined, [OUTPUT], true],
];

test.each(COMMANDS)(
  "in Claude %p, going back to before a command with %j is tried: %p",
  async (claude_version, output, isTried) => {
    const { session, harness } = await withTurns();
    await harness.say({ type: "session_capabilities", claude_version });
    const { message_id: command } = await session.message({ message: "/context" });
    const [start, started, text, , ...end] = wholeTurn("t9", command, "/context");
    await harness.say(
      ...[start, started, text, ...output, ...end].filter((one) => one !== undefined),
    );
    const { conversation } = await session.previewRewind(command);
    expect(conversation.ok).toBe(isTried);
    const rewinding = session.rewind(command, { files: false, conversation: "here" });
    if (isTried) await rewinding;
    else expect(await failureOf(rewinding)).toMatchObject({ status: 409, code: "resume_failed" });
    expect(harness.bridges).toHaveLength(isTried ? 2 : 1);
  },
);

test("a session that is put away is neither looked at nor gone back in: it stays away, without a Claude", async () => {
  const { harness, session, two } = await withTurns();
  const archived = session.setArchived(true);
  await harness.bridge.end();
  await archived;
  const refused = { status: 409, code: "archived" };
  expect(await failureOf(session.previewRewind(two))).toMatchObject(refused);
  expect(await failureOf(session.rewind(two, { files: true, conversation: "here" }))).toMatchObject(
    refused,
  );
  expect(session.info().archived_at).toBeNumber();
  expect(harness.bridges).toHaveLength(1);
});

test("a message that the transcript does not have is unknown", async () => {
  const { session } = await withTurns();
  const refused = { status: 404, code: "unknown_message" };
  expect(await failureOf(session.previewRewind("other"))).toMatchObject(refused);
  expect(await failureOf(session.rewind("other", { files: true }))).toMatchObject(refused);
});

test("a refusal of Claude is reported, and the session goes on", async () => {
  const { session, harness, two } = await withTurns();
  answersRewinds(harness.bridge, "No file checkpoint found for this message.");
  const refused = await failureOf(session.rewind(two, { files: true, conversation: "here" }));
  expect(refused).toMatchObject({
    code: "refused",
    message: expect.stringContaining("checkpoint"),
  });
  expect(harness.bridges).toHaveLength(1);
  await exchange(harness, session, "Four");
  expect(await turnsOf(session)).toMatchObject({ known: ["One", "Two", "Three", "Four"] });
});

test("a conversation that Claude does not find stays as it was, and the files that were put back are named", async () => {
  const { session, harness, two } = await withTurns();
  const message = "No message found";
  harness.start = [{ type: "error", code: "resume_failed", message, recoverable: true }];
  const failed = await failureOf(session.rewind(two, { files: true, conversation: "here" }));
  expect(failed).toMatchObject({ code: "resume_failed", details: { files: FILES } });
  const done = { message_id: two, message: "Two", files: FILES, forgotten: false };
  expect(await rewoundIn(session)).toEqual([done]);
  expect(await turnsOf(session)).toMatchObject({ forgotten: [], putBack: ["Two", "Three"] });
  harness.start = [];
  void session.message({ message: "Four" });
  await settled();
  expect(startOf(harness.bridge)).toEqual({ mode: "resume", session_id: "c1" });
});

test("a host that is killed while Claude starts again leaves the conversation as it was, and reports the files that were put back", async () => {
  const journal = openJournal(":memory:");
  const { session, harness, two } = await withTurns(journal);
  harness.start = [{ type: "process_started", pid: 8, args: [] }];
  void session.rewind(two, { files: true, conversation: "here" });
  await settled();
  await settled();
  expect(startOf(harness.bridge)).toMatchObject({ at_message: two });
  await harness.restart();
  const again = harness.sessions.get(session.id);
  expect(await rewoundIn(again)).toMatchObject([{ files: FILES, forgotten: false }]);
  expect(await turnsOf(again)).toMatchObject({ known: ["One", "Two", "Three"] });
  void again.message({ message: "Four" });
  await settled();
  expect(startOf(harness.bridge)).toEqual({ mode: "resume", session_id: "c1" });
});

test("a host that is killed while files are put back says that it does not know", async () => {
  const journal = openJournal(":memory:");
  const { session, harness, two } = await withTurns(journal);
  harness.bridge.answers.set("control", (usual, { dry_run }) =>
    dry_run === true ? { ...usual, response: DRY } : undefined,
  );
  void session.rewind(two, { files: true });
  await settled();
  await harness.restart();
  const again = harness.sessions.get(session.id);
  const types = (await entriesOf(again)).filter(({ data }) => data.includes("rewind_unfinished"));
  expect(types).toHaveLength(1);
  expect(await rewoundIn(again)).toEqual([]);
});

test("until Claude has answered, each start names the message again, also after a turn without an answer", async () => {
  const { session, harness, two } = await withTurns();
  await session.rewind(two, { files: false, conversation: "here" });
  await settled();
  const { message_id } = await session.message({ message: "Other" });
  await harness.say(
    turnStarted("t9", [message_id]),
    turnComplete("t9", [message_id]),
    status(message_id, "completed"),
  );
  await session.end();
  void session.message({ message: "Again" });
  await settled();
  expect(startOf(harness.bridge)).toEqual({ mode: "resume", session_id: "c1", at_message: two });
  await harness.say(turnStarted("t10"), said("t10", "Yes"), turnComplete("t10"));
  await session.end();
  void session.previewRewind(two).catch(() => {});
  await settled();
  expect(startOf(harness.bridge)).toEqual({ mode: "resume", session_id: "c1" });
});

test("turns that have left the memory are marked when they come back", async () => {
  const { session, harness, one, two } = await withTurns();
  for (let count = 0; count < 120; count += 1) await exchange(harness, session, `Turn ${count}`);
  await session.rewind(two, { files: false, conversation: "here" });
  await settled();
  expect(startOf(harness.bridge)).toMatchObject({ mode: "resume", at_message: two });
  const { state } = await session.snapshot();
  expect(
    state.entries.every(({ kind, isForgotten }) => kind !== "turn" || isForgotten === true),
  ).toBe(true);
  await session.rewind(one, { files: false, conversation: "here" });
  expect(startOf(harness.bridge)).toEqual({ mode: "new" });
});
