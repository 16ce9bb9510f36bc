/** Copies of conversations over the pipes of a bridge, and conversations that are put back through them. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Received, TestBridge } from "../testing/drivers/bridge-process.ts";
import { startBridge } from "../testing/drivers/bridge-process.ts";
import { initialize } from "../testing/drivers/bridge-states.ts";
import {
  openPastSessions,
  type PastSessions,
  sessionId,
} from "../testing/drivers/past-sessions.ts";
import { observe } from "../testing/observer/observer.ts";
import { exampleLines, referencePage } from "./support/markdown.ts";

const ID = sessionId(1);
const MAIN = `${ID}.jsonl`;

let past: PastSessions;
const bridges: TestBridge[] = [];
beforeEach(() => {
  past = openPastSessions();
});
afterEach(() => {
  for (const bridge of bridges.splice(0)) bridge.kill();
  past.remove();
});

function start(options: Parameters<typeof startBridge>[0] = {}): TestBridge {
  const env = { CLAUDE_CONFIG_DIR: past.configDir, ...options.env };
  const bridge = startBridge({ cwd: past.project, ...options, env });
  bridges.push(bridge);
  return bridge;
}

async function ended(bridge: TestBridge): Promise<void> {
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  const { received, sentIds } = bridge;
  expect(observe({ received, sentIds, isOver: true })).toEqual([]);
}

const path = () => join(past.folder, MAIN);
const own = (text: string) => JSON.stringify({ sessionId: ID, text });
const init = { session: { mode: "new", session_id: ID }, options: { transcript_mirror: true } };
const ofType = (received: readonly Received[], type: string) =>
  received.filter((message) => message.type === type);
const typesOf = (received: readonly Received[]) => received.map(({ type }) => type);

test("lines come after the end of a turn, and the rest before process_exit", async () => {
  const bridge = start();
  await initialize(bridge, init);
  writeFileSync(path(), `${own("a")}\n`);
  bridge.send({ type: "user_message", text: "hello" });
  const told = { session_id: ID, file: MAIN, offset: 0, lines: [own("a")] };
  expect(await bridge.next("transcript_lines")).toMatchObject(told);
  appendFileSync(path(), `${own("b")}\n`);
  await ended(bridge);
  const offset = own("a").length + 1;
  const copies = ofType(bridge.received, "transcript_lines");
  expect(copies).toMatchObject([told, { offset, lines: [own("b")] }]);
  const types = typesOf(bridge.received);
  expect(types.indexOf("turn_complete")).toBeLessThan(types.indexOf("transcript_lines"));
  expect(types.lastIndexOf("transcript_lines")).toBeLessThan(types.indexOf("process_exit"));
});

const LONG = Array.from({ length: 3_000 }, (_, at) => own(`${at} ${"x".repeat(2_000)}`));
const LONG_TEXT = LONG.map((line) => `${line}\n`).join("");

test("a long conversation comes whole, in pieces", async () => {
  writeFileSync(path(), LONG_TEXT);
  const bridge = start();
  await initialize(bridge, init);
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  const copies = ofType(bridge.received, "transcript_lines");
  expect(copies.length).toBeGreaterThan(3);
  expect(copies.flatMap((copy) => copy["lines"])).toEqual(LONG);
});

/** The lines of the files that a host has got, as it gives them back. */
const filesOf = (received: readonly Received[]) =>
  ofType(received, "transcript_lines").map(({ file, offset, lines }) => ({ file, offset, lines }));

test("a bridge that is killed between lines leaves a copy that can be put back, and a later one completes it", async () => {
  writeFileSync(path(), LONG_TEXT);
  const killed = start();
  await initialize(killed, init);
  killed.send({ type: "user_message", text: "hello" });
  for (let pieces = 0; pieces < 2; pieces += 1) await killed.next("transcript_lines");
  killed.kill();
  await killed.exited;
  const later = start();
  await initialize(later, init);
  await ended(later);
  const [begun, whole] = [filesOf(killed.received), filesOf(later.received)];
  for (const files of [begun, [...begun, ...whole]]) {
    past.empty();
    const bridge = start();
    bridge.send(restore({ files }));
    await bridge.next(({ is_written }) => is_written === true);
    await ended(bridge);
    const written = readFileSync(path(), "utf8");
    expect(written.length).toBeGreaterThan(1_000_000);
    expect(LONG_TEXT.slice(0, written.length)).toBe(written);
  }
  expect(readFileSync(path(), "utf8").length).toBe(LONG_TEXT.length);
});

test("without the option no line of the files is sent", async () => {
  writeFileSync(path(), `${own("a")}\n`);
  const bridge = start();
  await initialize(bridge, { session: init.session });
  bridge.send({ type: "user_message", text: "hello" });
  await bridge.next("turn_complete");
  await ended(bridge);
  expect(typesOf(bridge.received).filter((type) => type.startsWith("transcript"))).toEqual([]);
});

const restore = (fields: object = {}) => ({
  type: "transcript_restore",
  session_id: ID,
  id: "restore",
  files: [{ file: MAIN, offset: 0, lines: [own("a")] }],
  ...fields,
});

test("a conversation is put back before protocol_init, and no Claude is started", async () => {
  const bridge = start({ cwd: "/" });
  bridge.send(restore({ dir: past.project }));
  expect(await bridge.next("transcript_restore_result")).toMatchObject({
    in_reply_to: "restore",
    ok: true,
    is_written: true,
  });
  await ended(bridge);
  expect(typesOf(bridge.received)).toEqual(["transcript_restore_result"]);
  expect(readFileSync(path(), "utf8")).toBe(`${own("a")}\n`);
});

test("a host need not wait: messages that resume the conversation wait until it is written, and keep their order", async () => {
  const bridge = start();
  bridge.send(restore({ more: true }));
  const rest = [{ file: MAIN, offset: own("a").length + 1, lines: [own("b")] }];
  bridge.send(restore({ id: "rest", part: 2, files: rest }));
  const session = { mode: "resume", session_id: ID };
  bridge.send({ type: "protocol_init", version: 2, id: "init", session, options: init.options });
  bridge.send({ type: "user_message", id: "say", text: "hello" });
  expect(await bridge.next("protocol_ack")).toMatchObject({ session_id: ID });
  await bridge.next("transcript_lines");
  await ended(bridge);
  expect(typesOf(bridge.received).slice(0, 3)).toEqual([
    "transcript_restore_result",
    "transcript_restore_result",
    "protocol_ack",
  ]);
  expect(ofType(bridge.received, "transcript_lines")).toMatchObject([
    { lines: [own("a"), own("b")] },
  ]);
});

test("the end of the input does not overtake messages that wait for a conversation to be written", async () => {
  const bridge = start();
  bridge.send(restore());
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  await ended(bridge);
  expect(typesOf(bridge.received)).toContain("protocol_ack");
});

test("the current conversation is not overwritten", async () => {
  const bridge = start();
  await initialize(bridge, init);
  bridge.send(restore({ part: 3 }));
  expect(await bridge.next("transcript_restore_result")).toMatchObject({
    in_reply_to: "restore",
    part: 3,
    ok: false,
    reason: "in_use",
  });
  await ended(bridge);
  expect(existsSync(path())).toBe(false);
});

test("the files that a restore has collected are gone with its bridge", async () => {
  const bridge = start();
  bridge.send(restore({ more: true }));
  await bridge.next("transcript_restore_result");
  expect(readdirSync(past.folder)).toHaveLength(1);
  await ended(bridge);
  expect(readdirSync(past.folder)).toEqual([]);
});

test("the bridge that is killed while it restores has written nothing", async () => {
  const bridge = start();
  bridge.send(restore({ more: true }));
  await bridge.next("transcript_restore_result");
  bridge.kill();
  await bridge.exited;
  expect(existsSync(path())).toBe(false);
  const next = start();
  next.send(restore());
  await next.next("transcript_restore_result");
  expect(readdirSync(past.folder)).toEqual([MAIN]);
});

test("the restore of the reference gets the answers that are printed there", async () => {
  const bridge = start();
  const examples = exampleLines(referencePage("transcripts"));
  for (const { isInbound, message } of examples)
    if (isInbound) bridge.send({ ...message, dir: past.project });
    else expect(await bridge.next(() => true)).toEqual(message);
  await ended(bridge);
  expect(examples).toHaveLength(6);
});

test("a channel begins with a conversation that is put back", async () => {
  const bridge = start({ args: ["--multiplex"] });
  bridge.send(restore({ channel: "a", dir: past.project }));
  expect(await bridge.next("transcript_restore_result")).toMatchObject({ channel: "a", ok: true });
  bridge.send({ type: "shutdown", channel: "a" });
  await bridge.next("channel_closed");
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
});

test("a channel that is to end with a drain ends after the messages that wait for a conversation to be written", async () => {
  const bridge = start({ args: ["--multiplex"] });
  bridge.send(restore({ channel: "a", dir: past.project }));
  bridge.send({ type: "protocol_init", channel: "a", version: 2, dir: past.project, id: "init" });
  bridge.send({ type: "user_message", channel: "a", id: "say", text: "hello" });
  bridge.send({ type: "shutdown", channel: "a", drain: true });
  expect(await bridge.next("turn_complete")).toMatchObject({ result: "success" });
  await bridge.next("channel_closed");
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
});
