/**
 * The bridge process from start to end. The ring `built` runs the same against the output of
 * `npm run build`, so nothing here may know that the bridge is TypeScript.
 */
import { afterEach, expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { startBridge, type TestBridge, UNDER_TEST } from "../testing/drivers/bridge-process.ts";
import {
  bringTo,
  HALF,
  HALF_A_TURN,
  HELD,
  initialize,
  openStdinLog,
  startConversation,
} from "../testing/drivers/bridge-states.ts";
import { claudeThat, STAND_IN } from "../testing/drivers/claudes.ts";
import { endCleanly } from "../testing/drivers/clean-end.ts";
import { parseEmittedText } from "../testing/drivers/emitted-lines.ts";
import { runCommand } from "../testing/drivers/ended-command.ts";
import { openPastSessions } from "../testing/drivers/past-sessions.ts";
import { ASKING, folder, into, out } from "../testing/drivers/written-conversation.ts";

let bridge: TestBridge | undefined;
afterEach(() => bridge?.kill());

test("a message is answered, and closing stdin ends everything with exit code 0", async () => {
  bridge = startBridge();
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  await bridge.next("session_init");
  bridge.send({ type: "user_message", text: "héllo 👋", id: "m" });
  const text = await bridge.next((message) => message["status"] === "complete");
  expect(text["text"]).toBe("You said: héllo 👋");
  expect((await bridge.next("turn_complete"))["result"]).toBe("success");
  await endCleanly(bridge);
});

test("the handshake is answered while Claude starts, and messages are queued", async () => {
  const path = join(folder, "gate");
  Bun.spawnSync(["mkfifo", path]);
  // Open for reading and writing: if this test ends early, the waiting script finds the pipe closed.
  const gate = openSync(path, "r+");
  const env = { TUGTALK_GATE: path, TUGTALK_STAND_IN: STAND_IN };
  bridge = startBridge({ claude: claudeThat("starts-late"), env });
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  bridge.send({ type: "user_message", text: "early", id: "early" });
  const ack = await bridge.next("protocol_ack");
  expect([ack["in_reply_to"], ack["version"], ack["seq"]]).toEqual(["init", 2, 1]);
  expect(await bridge.next(({ in_reply_to }) => in_reply_to === "early")).toMatchObject({
    type: "message_status",
    status: "queued",
  });
  expect(bridge.received.some(({ type }) => type === "session_init")).toBe(false);
  writeSync(gate, "go\n");
  expect((await bridge.next("session_init"))["session_id"]).toBe(ack["session_id"]);
  expect((await bridge.next("turn_complete"))["text"]).toBe("You said: early");
  await endCleanly(bridge);
  closeSync(gate);
});

test("an allowed tool runs with Claude's input", async () => {
  const log = openStdinLog();
  bridge = await bringTo("prompt open", { env: log.env });
  const prompt = bridge.received.find(({ type }) => type === "control_request_forward");
  expect(prompt).toMatchObject({ tool_name: "Write", input: { file_path: "a" } });
  bridge.send({ type: "tool_approval", request_id: "prompt1", decision: "allow", id: "yes" });
  expect(await bridge.next("control_request_resolved")).toMatchObject({
    outcome: "allow",
    in_reply_to: "yes",
  });
  expect(await bridge.next("tool_result")).toMatchObject({ output: "written", is_error: false });
  await bridge.next("turn_complete");
  expect(log.lines().at(-1)).toMatchObject({
    response: { response: { behavior: "allow", updatedInput: { file_path: "a" } } },
  });
  await endCleanly(bridge);
});

test("an interrupt ends the turn, and the next message gets its own", async () => {
  bridge = await bringTo("streaming");
  bridge.send({ type: "interrupt", id: "stop" });
  expect(await bridge.next("control_result")).toMatchObject({
    subtype: "interrupt",
    ok: true,
    in_reply_to: "stop",
    still_queued: [],
  });
  expect((await bridge.next("turn_complete"))["result"]).toBe("cancelled");
  const partials = bridge.received.filter(({ status }) => status === "partial");
  expect(partials.map(({ text }) => text)).toEqual([HALF]);
  bridge.send({ type: "user_message", text: "and now?" });
  expect((await bridge.next("turn_complete"))["result"]).toBe("success");
  await endCleanly(bridge);
});

const FORM = { subtype: "elicitation", mcp_server_name: "s", message: "Which colour?" };

/** A turn with an open form that does not end at an interrupt. */
const STUBBORN: readonly object[] = [
  ...HALF_A_TURN,
  ...ASKING.slice(2, 3),
  out({ type: "control_request", request_id: "prompt1", request: FORM }),
  into({ type: "control_request", request: { subtype: "interrupt" } }),
  into({ type: "control_response" }),
  ...HELD.slice(-1),
];

const FINAL = new Set(["completed", "cancelled", "rejected", "failed"]);

const NEWEST = "99999999-2222-4333-8444-555555555555";

type CommandRow = readonly [
  command: string,
  flags: (own: string, left: string) => readonly string[],
];
const COMMANDS: readonly CommandRow[] = [
  ["fork", (own, left) => [`--resume=${left}`, "--fork-session", `--session-id=${own}`]],
  ["continue", () => [`--resume=${NEWEST}`]],
  ["new", (own) => [`--session-id=${own}`]],
];

test.each([...COMMANDS])(
  "a session command to %s ends the turn and starts another Claude",
  async (command, flags) => {
    const past = openPastSessions();
    past.write(NEWEST, [{ type: "user" }]);
    const env = { CLAUDE_CONFIG_DIR: past.configDir };
    bridge = startConversation(STUBBORN, { args: [`--dir=${past.project}`], env });
    const pid = await initialize(bridge, { options: { shutdown_grace_ms: 20 } });
    bridge.send({ type: "user_message", text: "go", id: "go" });
    const { request_id } = await bridge.next("elicitation_request");
    const left = bridge.received.findLast(({ type }) => type === "session_init")?.["session_id"];
    bridge.send({ type: "user_message", text: "waits", id: "waits" });
    bridge.send({ type: "session_command", command, id: "leave" });
    expect(await bridge.next("control_result")).toMatchObject({ ok: true, in_reply_to: "leave" });
    expect(await bridge.next("control_request_cancel")).toMatchObject({ request_id });
    expect(await bridge.next("turn_cancelled")).toMatchObject({ reason: "session_command" });
    expect(await bridge.next("process_exit")).toMatchObject({ pid, expected: true });
    const { args } = await bridge.next("process_started");
    const { session_id: own } = await bridge.next("session_init");
    expect(own).not.toBe(left);
    expect((args as readonly string[]).slice(6)).toEqual([...flags(String(own), String(left))]);
    const ends = bridge.received.filter(({ status }) => FINAL.has(String(status)));
    expect(ends.map(({ status }) => status)).toEqual(["cancelled", "failed"]);
    await endCleanly(bridge);
    past.remove();
  },
);

test("a recorded session is replayed with the same end", async () => {
  const path = join(folder, "recording.jsonl");
  bridge = await bringTo("prompt open", { args: [`--record=${path}`] });
  bridge.send({ type: "tool_approval", request_id: "prompt1", decision: "allow" });
  await bridge.next("turn_complete");
  await endCleanly(bridge);
  const { code, out: replayed, err } = await runCommand([...UNDER_TEST, "replay", path]);
  expect(err).toEndWith("all is as it was\n");
  expect(code).toBe(0);
  const types = parseEmittedText(replayed).map(({ type }) => type);
  expect(types).toEqual(bridge.received.map(({ type }) => type));
});

test("simulate plays the demonstration with the program that it is part of", async () => {
  const command = [...UNDER_TEST, "simulate", "--speed=max"];
  bridge = startBridge({ command, claude: "", env: { PATH: "" } });
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  bridge.send({ type: "user_message", text: "hello" });
  expect(String((await bridge.next("turn_complete"))["text"])).toContain("**demonstration**");
  await endCleanly(bridge);
});

test("a simulated Claude that dies is started again by the same program, and goes on", async () => {
  bridge = startBridge({
    command: [...UNDER_TEST, "simulate", "crash", "--speed=max"],
    claude: "",
  });
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  bridge.send({ type: "user_message", text: "go" });
  expect(await bridge.next("process_exit")).toMatchObject({ exit_code: 1, will_restart: true });
  bridge.send({ type: "user_message", text: "again" });
  expect(String((await bridge.next("turn_complete"))["text"])).toStartWith("I was started again");
  await endCleanly(bridge);
});

test("the command line prints its version, its usage and its errors", async () => {
  const run = (...args: readonly string[]) => runCommand([...UNDER_TEST, ...args]);
  const version = await run("--version");
  expect(version).toMatchObject({ code: 0, err: "" });
  expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  const help = await run("--help");
  expect(help).toMatchObject({ code: 0, err: "" });
  expect(help.out).toContain("--on-eof interrupt|drain");
  const mistake = await run("--dirr=x");
  expect(mistake).toMatchObject({ code: 2, out: "" });
  expect(mistake.err).toContain("Unknown option '--dirr'");
  expect(mistake.err).toContain(help.out.trimEnd());
});
