/** Many sessions in one process: `--multiplex` over real pipes. */
import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  startChannels,
  type TestChannel,
  type TestChannels,
} from "../testing/drivers/bridge-channels.ts";
import {
  type BridgeOptions,
  type Received,
  STUMBLING,
  startBridge,
} from "../testing/drivers/bridge-process.ts";
import { HALF, HELD, initialize } from "../testing/drivers/bridge-states.ts";
import { isGone } from "../testing/drivers/claudes.ts";
import { endCleanly } from "../testing/drivers/clean-end.ts";
import { openFaultControl } from "../testing/drivers/controlled-claude.ts";
import { ASKING, folder, writeConversation } from "../testing/drivers/written-conversation.ts";
import { observe } from "../testing/observer/observer.ts";

let channels: TestChannels | undefined;
afterEach(() => channels?.bridge.kill());

function start(options?: BridgeOptions): TestChannels {
  channels = startChannels(options);
  return channels;
}

/** Opens a channel whose Claude plays a conversation; without one it echoes. */
async function open(
  { open: openNamed }: TestChannels,
  name: string,
  conversation?: readonly object[],
): Promise<TestChannel & { readonly pid: number }> {
  const channel = openNamed(name);
  const env = conversation === undefined ? {} : writeConversation(conversation);
  const pid = await initialize(channel, { options: { env } });
  return { ...channel, pid };
}

/** Opens a channel whose Claude is in the middle of a text. */
async function openStreaming(all: TestChannels, name: string) {
  const channel = await open(all, name, HELD);
  channel.send({ type: "user_message", text: "go", id: "go" });
  expect((await channel.next("assistant_text"))["text"]).toBe(HALF);
  return channel;
}

const isState =
  (state: string) =>
  ({ type, ...rest }: Received) =>
    type === "session_state" && rest["state"] === state;

/** Sends one message and waits for the end of its turn; returns its text. */
async function chat(channel: TestChannel, text: string, id = text): Promise<unknown> {
  channel.send({ type: "user_message", text, id });
  const { text: answer } = await channel.next("turn_complete");
  await channel.next(isState("idle"));
  return answer;
}

/** The stream of a channel that has ended keeps every guarantee and is its own. */
function expectWhole({ received, sentIds }: TestChannel, exit_code = 0): void {
  expect(received.at(-1)).toMatchObject({ type: "channel_closed", exit_code });
  expect(observe({ received, sentIds, isOver: true })).toEqual([]);
}

/** Closes stdin: every channel that is open ends well, and so does the process. */
async function endAll({ bridge }: TestChannels, ...open: readonly TestChannel[]): Promise<void> {
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  for (const channel of open) expectWhole(channel);
}

test("the same ids in two channels at once are two conversations", async () => {
  const all = start();
  const [a, b] = [await open(all, "a"), await open(all, "b")];
  const message_id = "11111111-2222-4333-8444-555555555555";
  for (const turn of ["one", "two", "three"]) {
    a.send({ type: "user_message", text: `a ${turn}`, id: turn });
    b.send({ type: "user_message", text: `b ${turn}`, id: turn });
  }
  for (const [name, channel] of Object.entries({ a, b }))
    for (const turn of ["one", "two", "three"])
      expect((await channel.next("turn_complete"))["text"]).toBe(`You said: ${name} ${turn}`);
  for (const channel of [a, b]) {
    channel.send({ type: "user_message", text: "same", message_id });
    expect((await channel.next("turn_complete"))["message_ids"]).toEqual([message_id]);
  }
  expect(a.received[0]?.["instance_id"]).not.toBe(b.received[0]?.["instance_id"]);
  await endAll(all, a, b);
  expect(all.process.received).toEqual([]);
});

test("prompts with the same id in two channels are answered apart", async () => {
  const all = start();
  const [a, b] = [await open(all, "a", ASKING), await open(all, "b", ASKING)];
  for (const channel of [a, b]) channel.send({ type: "user_message", text: "go" });
  for (const channel of [a, b])
    expect((await channel.next("control_request_forward"))["request_id"]).toBe("prompt1");
  b.send({ type: "tool_approval", request_id: "prompt1", decision: "allow" });
  expect((await b.next("control_request_resolved"))["outcome"]).toBe("allow");
  await b.next("turn_complete");
  expect(a.received.some(({ type }) => type === "control_request_resolved")).toBe(false);
  a.send({ type: "tool_approval", request_id: "prompt1", decision: "deny" });
  expect((await a.next("control_request_resolved"))["outcome"]).toBe("deny");
  await a.next("turn_complete");
  await endAll(all, a, b);
});

test("a shutdown ends its channel while another one streams", async () => {
  const all = start();
  const [a, b] = [await openStreaming(all, "a"), await openStreaming(all, "b")];
  a.send({ type: "shutdown" });
  await a.next("channel_closed");
  expectWhole(a);
  expect(b.received.some(({ type }) => /turn_c/.test(type))).toBe(false);
  b.send({ type: "interrupt", id: "stop" });
  expect((await b.next("turn_complete"))["result"]).toBe("cancelled");
  await endAll(all, b);
});

test("a channel chats while another one is flooded without end", async () => {
  const all = start();
  const control = openFaultControl();
  const flooded = all.open("flooded");
  flooded.send({ type: "protocol_init", version: 2, options: { env: control.env } });
  const claude = await control.first;
  await claude.apply({ order: "listen" });
  await flooded.next(isState("idle"));
  const line = { type: "made_up_news", count: "$count", padding: "x".repeat(200) };
  await claude.apply({ order: "flood", line });
  await flooded.next("unknown_event");
  const b = await open(all, "b");
  for (const turn of ["one", "two", "three"]) expect(await chat(b, turn)).toBe(`You said: ${turn}`);
  await claude.apply({ order: "stop_flood" });
  const length = await claude.countFlood();
  await endAll(all, flooded, b);
  const counts = flooded.received
    .filter(({ type }) => type === "unknown_event")
    .map(({ raw }) => Number((raw as { readonly count: string }).count));
  expect(counts).toEqual(Array.from({ length }, (_, count) => count));
  control.close();
});

test("a fatal error of a bridge ends its channel only", async () => {
  const all = start();
  const b = await open(all, "b");
  const old = all.open("old version");
  old.send({ type: "protocol_init", version: 3, id: "init" });
  expect(await old.next("error")).toMatchObject({
    code: "unsupported_version",
    recoverable: false,
  });
  const missing = all.open("missing folder");
  missing.send({ type: "protocol_init", version: 2, dir: join(folder, "no such folder") });
  expect(await missing.next("error")).toMatchObject({ reason: "missing_directory" });
  for (const channel of [old, missing]) {
    await channel.next("channel_closed");
    expectWhole(channel, 1);
  }
  expect(await chat(b, "still here")).toBe("You said: still here");
  await endAll(all, b);
});

test("each channel has a folder and an environment of its own", async () => {
  const all = start();
  const log = (name: string) => join(folder, `stdin-of-${name}.jsonl`);
  for (const name of ["a", "b"]) {
    const dir = join(folder, name);
    mkdirSync(dir, { recursive: true });
    const channel = all.open(name);
    const env = { TUGTALK_SIM_STDIN_LOG: log(name) };
    await initialize(channel, { dir, options: { env } });
    expect(await chat(channel, `to ${name}`)).toBe(`You said: to ${name}`);
    expect(channel.received.find(({ type }) => type === "system_metadata")?.["cwd"]).toBe(dir);
  }
  await endAll(all);
});

test("the files with secrets are those of the channel, and go with it", async () => {
  const all = start();
  const written = async (name: string) => {
    const channel = all.open(name);
    const mcp_config = { mcpServers: { [name]: { command: "x" } } };
    channel.send({ type: "protocol_init", version: 2, options: { mcp_config } });
    const { args } = await channel.next("process_started");
    await channel.next(isState("idle"));
    const words = (args as string[]).map((word) => /^--mcp-config=(.*)/.exec(word)?.[1]);
    return { channel, path: words.find((word) => word !== undefined) ?? "" };
  };
  const [a, b] = [await written("a"), await written("b")];
  expect(
    [a, b].map(({ path }) => Object.keys(JSON.parse(readFileSync(path, "utf8")).mcpServers)),
  ).toEqual([["a"], ["b"]]);
  a.channel.send({ type: "shutdown" });
  await a.channel.next("channel_closed");
  expect([existsSync(a.path), existsSync(b.path)]).toEqual([false, true]);
  await endAll(all, b.channel);
  expect(existsSync(b.path)).toBe(false);
});

const LONGEST = "👋".repeat(64);

/** Lines that no channel gets, each with the error that answers it. */
const REFUSED: readonly (readonly [what: string, line: object | string, code: string])[] = [
  ["no channel", { type: "protocol_init", version: 2 }, "bad_channel"],
  ["a channel that is no text", { channel: 1, type: "protocol_init", version: 2 }, "bad_channel"],
  ["an empty channel", { channel: "", type: "protocol_init", version: 2 }, "bad_channel"],
  ["65 characters", { channel: "c".repeat(65), type: "protocol_init", version: 2 }, "bad_channel"],
  [
    "a channel that is not open",
    { channel: "other", type: "user_message", text: "x" },
    "bad_channel",
  ],
  ["an unknown type for no channel", { channel: "other", type: "no such type" }, "bad_channel"],
  ["no JSON", "{", "bad_json"],
  ["no object", "[]", "bad_message"],
  ["a line that is too long", `"${"x".repeat(5_000)}"`, "line_too_long"],
];

test("each line that no channel gets has one error without a channel", async () => {
  const all = start({ args: ["--max-line-bytes=4000"] });
  const open = all.open(LONGEST);
  open.send({ type: "protocol_init", version: 2 });
  await open.next("protocol_ack");
  for (const [at, [what, line, code]] of REFUSED.entries()) {
    if (typeof line === "string") all.bridge.sendRaw(`${line}\n`);
    else all.process.send({ ...line, id: what });
    expect(await all.process.next("error"), what).toMatchObject({
      code,
      seq: at + 1,
      recoverable: true,
      source: "host",
      ...(typeof line === "object" && { in_reply_to: what }),
    });
  }
  expect(await chat(open, "next")).toBe("You said: next");
  await endAll(all, open);
  expect(all.process.received).toHaveLength(REFUSED.length);
});

const TOO_LONG = { type: "user_message", text: "x".repeat(5_000) };

test("a line that is too long is a problem of the channel that its beginning names", async () => {
  const all = start({ args: ["--max-line-bytes=4000"] });
  const [a, b] = [await open(all, "a"), await open(all, "b")];
  b.send({ id: "lost", channel: "b", ...TOO_LONG });
  expect(await b.next("error")).toMatchObject({ code: "line_too_long", in_reply_to: "lost" });
  await endAll(all, a, b);
  expect(all.process.received).toEqual([]);
});

test.each([
  ["bad_channel", { type: "interrupt" }],
  ["line_too_long", TOO_LONG],
])("%s names the channel of its line where that is not open", async (code, line) => {
  const all = start({ args: ["--max-line-bytes=4000"] });
  const a = await open(all, "a");
  all.process.send({ id: "lost", channel: "other", ...line });
  const error = { code, in_reply_to: "lost", of_channel: "other", seq: 1 };
  expect(await all.process.next("error")).toMatchObject(error);
  await endAll(all, a);
});

test("a name is free again after channel_closed, and not before", async () => {
  const all = start();
  const first = await open(all, "a");
  const early = { channel: "a", type: "protocol_init", version: 2, id: "early" };
  all.bridge.sendRaw(`{"channel":"a","type":"shutdown"}\n${JSON.stringify(early)}\n`);
  expect(await all.process.next("error")).toMatchObject({
    code: "bad_channel",
    in_reply_to: "early",
  });
  await first.next("channel_closed");
  expectWhole(first);
  await isGone(first.pid);
  const second = await open(all, "a");
  expect(await chat(second, "anew")).toBe("You said: anew");
  expect(second.received[0]?.["instance_id"]).not.toBe(first.received[0]?.["instance_id"]);
  await endAll(all, second);
});

test("--max-channels counts the channels that are open", async () => {
  const all = start({ args: ["--max-channels=2"] });
  const [a, b] = [await open(all, "a"), await open(all, "b")];
  all.process.send({ channel: "c", type: "protocol_init", version: 2, id: "third" });
  expect(await all.process.next("error")).toMatchObject({
    code: "bad_channel",
    in_reply_to: "third",
  });
  a.send({ type: "shutdown" });
  await a.next("channel_closed");
  const c = await open(all, "c");
  await endAll(all, b, c);
});

test.each(["the end of input", "SIGTERM"])("%s ends every channel and its Claude", async (way) => {
  const all = start();
  const opened = [await openStreaming(all, "a"), await openStreaming(all, "b")];
  opened.push(await open(all, "c"));
  if (way === "SIGTERM") all.bridge.kill("SIGTERM");
  else all.bridge.closeInput();
  expect(await all.bridge.exited).toBe(0);
  for (const channel of opened) {
    expectWhole(channel);
    expect(channel.received.filter(({ type }) => type === "process_exit")).toMatchObject([
      { pid: channel.pid, expected: true },
    ]);
  }
});

test("an uncaught error is reported to the process and to every channel, and ends them all", async () => {
  const all = start({ env: STUMBLING });
  const both = [await open(all, "a"), await open(all, "b")];
  all.bridge.kill("SIGUSR2");
  expect(await all.bridge.exited).toBe(1);
  const fault = { code: "internal", message: "a fault of ours", recoverable: false };
  expect(all.process.received).toMatchObject([fault]);
  for (const channel of both) {
    expect(channel.received.find(({ type }) => type === "error")).toMatchObject(fault);
    expectWhole(channel, 1);
  }
});

test("without --multiplex a channel is ignored", async () => {
  const bridge = startBridge();
  bridge.send({ type: "protocol_init", version: 2, id: "init", channel: "a" });
  expect((await bridge.next("protocol_ack"))["channel"]).toBeUndefined();
  bridge.send({ type: "control", subtype: "get_settings", id: "control", channel: "b" });
  expect((await bridge.next("control_result"))["ok"]).toBe(true);
  await endCleanly(bridge);
});
