/**
 * Sessions that move to another place: the new bridge's messages, the refusals, and the state after a failure
 * or a kill.
 */
import { expect, test } from "bun:test";
import { failureOf } from "../../../testing/drivers/failure.ts";
import type { HostSession } from "../../api/host-session.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { prompt, status, turnStarted, wholeTurn } from "./support/bridge-words.ts";
import type { Draft } from "./support/fake-bridge.ts";
import { entriesOf, SessionHarness, STARTED, settled, typesOf } from "./support/session-harness.ts";

const TO = { place: "box", dir: "/srv/work", isForced: false };
const RESUMED = STARTED.map((said) =>
  said.type === "session_init" ? { ...said, mode: "resume" } : said,
);

const ENV = { CLAUDE_CONFIG_DIR: "/srv/claude", HOME: null, API_KEY: "secret" };

const lines = (offset: number, texts: readonly string[], more: object = {}): Draft => ({
  type: "transcript_lines",
  session_id: "c1",
  file: "c1.jsonl",
  offset,
  lines: texts,
  ...more,
});

/** A session with one turn, whose transcript the host has. */
async function mirrored(journal = openJournal(":memory:")) {
  const harness = await SessionHarness.open(journal);
  const session = await harness.create({ mirror: true, options: { env: ENV } });
  const { message_id } = await session.message({ message: "One" });
  await harness.say(
    ...wholeTurn("t1", message_id, "One"),
    lines(0, ["one"], { through_turn_id: "t1" }),
  );
  harness.start = RESUMED;
  return { harness, session };
}

const codeOf = async (work: Promise<unknown>) => Object(await failureOf(work)).code;
const started = ({ bridge }: SessionHarness) => bridge.sentOf("protocol_init")[0];
const where = (session: HostSession) => {
  const { place, dir, mirror } = session.info();
  return { place, dir, mirror };
};
const HERE = { place: "local", dir: "/work", mirror: true } as const;
const THERE = { place: "box", dir: "/srv/work", mirror: true } as const;

test("Claude ends here, and the bridge there is given the conversation before it resumes", async () => {
  const { harness, session } = await mirrored();
  const [first] = harness.bridges;
  expect(first?.sentOf("protocol_init")[0]?.options).toEqual({ env: ENV, transcript_mirror: true });
  await harness.say(lines(4, ["two", "three"]));
  await harness.sessions.move(session.id, TO);
  expect(first?.isEnded).toBe(true);
  expect(harness.places).toEqual(["local", "box"]);
  const [restore, init] = harness.bridge.sent;
  expect(restore).toMatchObject({
    type: "transcript_restore",
    session_id: "c1",
    dir: "/srv/work",
    env: { CLAUDE_CONFIG_DIR: "/srv/claude", HOME: null },
    more: false,
    files: [{ file: "c1.jsonl", offset: 0, lines: ["one", "two", "three"] }],
  });
  expect(init).toMatchObject({
    type: "protocol_init",
    dir: "/srv/work",
    session: { mode: "resume", session_id: "c1" },
    options: { transcript_mirror: true },
  });
  expect(where(session)).toEqual(THERE);
  await session.message({ message: "Two" });
  expect(harness.bridge.sentOf("user_message")).toHaveLength(1);
});

test("the copied lines are in no stream and no journal of entries", async () => {
  const { session } = await mirrored();
  expect(typesOf(await entriesOf(session))).not.toContain("transcript_lines");
});

test("a session whose Claude does not run moves too, and messages that are sent meanwhile go there", async () => {
  const { harness, session } = await mirrored();
  await session.end();
  const { promise, resolve } = Promise.withResolvers<void>();
  harness.opened = promise;
  const moving = harness.sessions.move(session.id, TO);
  await settled();
  const sending = session.message({ message: "Two" });
  await settled();
  resolve();
  await moving;
  await sending;
  expect(harness.places).toEqual(["local", "box"]);
  expect(harness.bridge.sentOf("user_message").map(({ text }) => text)).toEqual(["Two"]);
});

test("a session in which nothing was said begins there", async () => {
  const harness = await SessionHarness.open();
  const session = await harness.create({ mirror: true });
  await harness.sessions.move(session.id, TO);
  expect(harness.bridge.sentOf("transcript_restore")).toEqual([]);
  expect(started(harness)).toMatchObject({ dir: "/srv/work", session: { mode: "new" } });
  expect(where(session)).toEqual(THERE);
});

test("a session that keeps no transcript, or is archived, or is there already, is not moved", async () => {
  const { harness, session } = await mirrored();
  const plain = await harness.create();
  expect(await codeOf(harness.sessions.move(plain.id, TO))).toBe("not_mirrored");
  const same = { place: "local", dir: "/work", isForced: false };
  expect(await codeOf(harness.sessions.move(session.id, same))).toBe("already_there");
  expect(harness.bridges.map(({ isEnded }) => isEnded)).toEqual([false, false]);
  await session.setArchived(true);
  expect(await codeOf(harness.sessions.move(session.id, TO))).toBe("archived");
});

test("a copy of a session has nothing of its own to move before its first turn", async () => {
  const { harness, session } = await mirrored();
  const fork = await harness.sessions.fork(session.id, undefined);
  expect(fork.info().mirror).toBe(true);
  expect(await codeOf(harness.sessions.move(fork.id, TO))).toBe("not_mirrored");
});

test("a session at work is moved only by force, and its prompts are withdrawn", async () => {
  const { harness, session } = await mirrored();
  const { message_id } = await session.message({ message: "Two" });
  await harness.say(
    turnStarted("t2", [message_id]),
    status(message_id, "started"),
    prompt("p1", "t2"),
  );
  expect(await codeOf(harness.sessions.move(session.id, TO))).toBe("at_work");
  expect(harness.bridge.isEnded).toBe(false);
  await harness.sessions.move(session.id, { ...TO, isForced: true });
  expect(where(session)).toEqual(THERE);
  expect(await session.prompts()).toEqual([]);
});

test("an unreadable part of the conversation is reported, until a later turn is there as a whole", async () => {
  const { harness, session } = await mirrored();
  const failed = { type: "transcript_failed", session_id: "c1", file: "c1.jsonl" };
  await harness.say({ ...failed, reason: "unreadable", message: "it cannot be read" });
  expect(String(await failureOf(harness.sessions.move(session.id, TO)))).toContain(
    "it cannot be read",
  );
  await harness.say(lines(4, [], { through_turn_id: "t1" }));
  await harness.sessions.move(session.id, TO);
  expect(where(session)).toEqual(THERE);
});

test("a file that was written anew is not mixed with its earlier lines", async () => {
  const { harness, session } = await mirrored();
  const failed = { type: "transcript_failed", session_id: "c1", file: "c1.jsonl" };
  await harness.say({ ...failed, reason: "changed", message: "" }, lines(0, ["uno"]));
  await harness.sessions.move(session.id, TO);
  expect(harness.bridge.sentOf("transcript_restore")[0]?.files).toEqual([
    { file: "c1.jsonl", offset: 0, lines: ["uno"] },
  ]);
});

test.each([
  [
    "the bridge there refuses the conversation",
    { reason: "differs", message: "other lines" },
    "restore_refused",
  ],
  ["the folder there is missing", { reason: "missing_directory", message: "none" }, "no_such_dir"],
  ["lines are missing", { reason: "gap", message: "a gap" }, "mirror_incomplete"],
])("where %s, the session stays and goes on where it was", async (_what, refusal, code) => {
  const { harness, session } = await mirrored();
  harness.prepare = (bridge) =>
    bridge.answers.set("transcript_restore", (usual) => ({
      ...usual,
      ok: false,
      is_written: false,
      ...refusal,
    }));
  expect(await codeOf(harness.sessions.move(session.id, TO))).toBe(code);
  expect(started(harness)).toBeUndefined();
  expect(where(session)).toEqual(HERE);
  await session.message({ message: "Two" });
  expect(harness.places).toEqual(["local", "box", "local"]);
  expect(started(harness)).toMatchObject({
    dir: "/work",
    session: { mode: "resume", session_id: "c1" },
  });
});

test("where Claude does not find the conversation there, the session stays", async () => {
  const { harness, session } = await mirrored();
  harness.start = STARTED;
  expect(await codeOf(harness.sessions.move(session.id, TO))).toBe("resume_failed");
  expect(where(session)).toEqual(HERE);
  expect(harness.bridge.isEnded).toBe(true);
});

test("a host that is killed before Claude has started there leaves the session where it was, and waits for that bridge", async () => {
  const { harness, session } = await mirrored();
  harness.start = [];
  harness.lingerMs = 5_000;
  void harness.sessions.move(session.id, TO);
  await settled();
  const gone: unknown[] = [];
  harness.oldBridgeGone = async ({ bridge }) => {
    gone.push(bridge?.lingerMs);
  };
  harness.start = RESUMED;
  await harness.restart();
  const again = harness.sessions.get(session.id);
  expect(where(again)).toEqual(HERE);
  await again.message({ message: "Two" });
  await settled();
  expect(harness.places).toEqual(["local", "box", "local"]);
  expect(gone).toEqual([5_000]);
});

test("a host that is killed when Claude has started there finds the session there", async () => {
  const { harness, session } = await mirrored();
  await harness.sessions.move(session.id, TO);
  await harness.restart();
  const again = harness.sessions.get(session.id);
  expect(where(again)).toEqual(THERE);
  await again.message({ message: "Two" });
  expect(harness.places).toEqual(["local", "box", "box"]);
  expect(started(harness)).toMatchObject({ dir: "/srv/work" });
});

test("a second move, and a host's end, wait for nothing that is half done", async () => {
  const { harness, session } = await mirrored();
  harness.start = [];
  const moving = codeOf(harness.sessions.move(session.id, TO));
  await settled();
  expect(await codeOf(harness.sessions.move(session.id, { ...TO, isForced: true }))).toBe(
    "at_work",
  );
  await session.end();
  expect(await moving).toBe("closing");
  expect(where(session)).toEqual(HERE);
});
