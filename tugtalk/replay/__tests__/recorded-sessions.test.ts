/**
 * Sessions of the bridge process with the simulator as Claude are recorded and replayed: a recording
 * has everything that its replay needs.
 */
import { afterEach, expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  STUMBLING,
  startBridge,
  type TestBridge,
  UNDER_TEST,
} from "../../testing/drivers/bridge-process.ts";
import {
  bringTo,
  HALF_A_TURN,
  HELD,
  initialize,
  startConversation,
} from "../../testing/drivers/bridge-states.ts";
import { claudeThat, STAND_IN } from "../../testing/drivers/claudes.ts";
import { parseEmittedText } from "../../testing/drivers/emitted-lines.ts";
import { openPastSessions } from "../../testing/drivers/past-sessions.ts";
import { areStill, startSilently } from "../../testing/drivers/silent-host.ts";
import { ASKING, out } from "../../testing/drivers/written-conversation.ts";
import { expectAsItWas, folder, maybeKeep, newRecording, replayFile } from "./support/replayed.ts";

/** Runs one session to the end of the bridge. */
type Session = (args: readonly string[]) => Promise<TestBridge>;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const START_NEW = { type: "protocol_init", version: 2 };

/** Longer than the deadlines that pass in the meantime, in ms. */
const STOPPED_MS = 2500;

/**
 * Sends a message to a bridge that is stopped, as by Ctrl-Z. The stopped bridge cannot react to its limits.
 */
async function stopped(bridge: TestBridge, send: () => void): Promise<void> {
  bridge.kill("SIGSTOP");
  await Bun.sleep(STOPPED_MS);
  send();
  bridge.kill("SIGCONT");
}

/** The sessions by the content of their recordings. */
const SESSIONS: Readonly<Record<string, Session>> = {
  "a session with a signal during a text": async (args) => {
    const bridge = await bringTo("streaming", { args });
    bridge.kill("SIGTERM");
    return bridge;
  },
  "a session with queued, withdrawn and steered messages": async (args) => {
    const bridge = await bringTo("messages queued", { args });
    bridge.send({ type: "user_message", text: "steer", delivery: "steer", id: "steer" });
    const { message_id } = await bridge.next(({ in_reply_to }) => in_reply_to === "steer");
    bridge.send({ type: "cancel_message", message_id });
    bridge.send({ type: "interrupt", cancel_queued: true, id: "stop" });
    await bridge.next(({ in_reply_to, type }) => in_reply_to === "stop" && type !== "error");
    bridge.closeInput();
    return bridge;
  },
  "a session with an internal error during a text": async (args) => {
    const bridge = await bringTo("streaming", { args, env: STUMBLING });
    bridge.kill("SIGUSR2");
    return bridge;
  },
  "a prompt that expires": async (args) => {
    const bridge = startConversation(ASKING, { args });
    await initialize(bridge, { options: { prompt_timeout_ms: 100 } });
    bridge.send({ type: "user_message", text: "go" });
    await bridge.next("turn_complete");
    bridge.closeInput();
    return bridge;
  },
  "a model that says nothing more": async (args) => {
    const bridge = startConversation(HELD, { args });
    await initialize(bridge, { options: { stream_timeout_ms: 150, interrupt_timeout_ms: 100 } });
    bridge.send({ type: "user_message", text: "go" });
    await bridge.next(({ state }) => state === "stalled");
    await bridge.next(({ type }) => type === "turn_complete" || type === "turn_cancelled");
    bridge.closeInput();
    return bridge;
  },
  "a Claude that has to be killed": async (args) => {
    const bridge = startBridge({ args, claude: claudeThat("ignores-everything") });
    bridge.send({ ...START_NEW, options: { shutdown_grace_ms: 100 } });
    await bridge.next("process_started");
    bridge.closeInput();
    return bridge;
  },
  "a session whose Claude fails to start": async (args) => {
    const bridge = startBridge({ args, claude: claudeThat("says-no") });
    bridge.send(START_NEW);
    return bridge;
  },
  "a session whose Claude does not exist": async (args) => {
    const bridge = startBridge({ args, claude: "/no/such/claude" });
    bridge.send(START_NEW);
    return bridge;
  },
  "a handshake with an unsupported version": async (args) => {
    const bridge = startBridge({ args });
    bridge.send({ ...START_NEW, version: 9 });
    return bridge;
  },
  "other conversations, left for each other": async (args) => {
    const bridge = await bringTo("idle", { args });
    for (const command of ["new", "fork", "continue"]) {
      bridge.send({ type: "session_command", command, id: command });
      await bridge.next(({ in_reply_to }) => in_reply_to === command);
    }
    bridge.send({ type: "shutdown", drain: true });
    return bridge;
  },
  "a session with history requests and a continued conversation": async (args) => {
    const past = openPastSessions();
    ends.push(past.remove);
    const session_id = past.place("2.1.197/slash_cost");
    const env = { CLAUDE_CONFIG_DIR: past.configDir };
    const bridge = startBridge({ args, env });
    bridge.send({ type: "session_list", dir: past.project, id: "early" });
    await bridge.next("session_list_result");
    bridge.send({ ...START_NEW, dir: past.project, session: { mode: "continue" } });
    bridge.send({ type: "session_list", id: "list" });
    bridge.send({ type: "session_history", session_id, id: "history" });
    bridge.send({ type: "session_history", session_id: crypto.randomUUID(), id: "nothing" });
    await bridge.next(({ in_reply_to }) => in_reply_to === "nothing");
    bridge.closeInput();
    return bridge;
  },
  "a conversation that is put back on disk, goes on, and is copied to the host": async (args) => {
    const past = openPastSessions();
    ends.push(past.remove);
    const session_id = crypto.randomUUID();
    const lines = [
      JSON.stringify({ type: "user", uuid: crypto.randomUUID(), sessionId: session_id }),
    ];
    const files = [{ file: `${session_id}.jsonl`, offset: 0, lines }];
    const env = { CLAUDE_CONFIG_DIR: past.configDir };
    const bridge = startBridge({ args, env });
    const { project: dir } = past;
    bridge.send({ type: "transcript_restore", session_id, dir, files, id: "restore" });
    const session = { mode: "resume", session_id };
    bridge.send({ ...START_NEW, dir, session, options: { transcript_mirror: true } });
    for (const text of ["hello", "good?"]) {
      bridge.send({ type: "user_message", text });
      const { uuid } = await bridge.next(
        ({ type, status }) => type === "assistant_text" && status === "complete",
      );
      const line = `${JSON.stringify({ type: "assistant", uuid, sessionId: session_id })}\n`;
      appendFileSync(join(past.folder, `${session_id}.jsonl`), line);
      await bridge.next(({ through_turn_id }) => through_turn_id !== undefined);
    }
    bridge.closeInput();
    return bridge;
  },
  "a session with an MCP configuration in a file and a failed resume": async (args) => {
    const bridge = startBridge({ args: [...args, `--state-dir=${join(folder, "no state")}`] });
    const mcp_config = { mcpServers: { one: { command: "/nowhere", env: { A: "made up" } } } };
    bridge.send({ ...START_NEW, session: { mode: "resume" }, options: { mcp_config } });
    await bridge.next("error");
    bridge.send({ type: "session_command", command: "new" });
    await bridge.next("session_init");
    bridge.closeInput();
    return bridge;
  },
  "lines that are nested deep, from both sides": async (args) => {
    const deep = (type: string, levels: number) =>
      `{"type":"${type}","a":${"[".repeat(levels)}"x"${"]".repeat(levels)}}`;
    const lines = [600, 999, 1000, 1100, 20_000].map((levels) => out(deep("fanfare", levels)));
    const bridge = startConversation([...HALF_A_TURN, ...lines, ...HELD.slice(-1)], { args });
    for (const levels of [600, 1100, 20_000]) bridge.sendRaw(`${deep("nonsense", levels)}\n`);
    await initialize(bridge);
    bridge.send({ type: "user_message", text: "go" });
    for (const _line of lines) await bridge.next("unknown_event");
    bridge.closeInput();
    return bridge;
  },
  "an interrupt while the bridge is stopped": async (args) => {
    const bridge = startConversation(HELD, { args });
    await initialize(bridge, { options: { stream_timeout_ms: 300, interrupt_timeout_ms: 300 } });
    bridge.send({ type: "user_message", text: "go" });
    await bridge.next(({ status }) => status === "partial");
    await stopped(bridge, () => bridge.send({ type: "interrupt" }));
    // A Claude that takes longer than the limit is ended.
    await bridge.next(({ type }) => type === "turn_complete" || type === "turn_cancelled");
    bridge.closeInput();
    return bridge;
  },
  "a prompt that is answered while the bridge is stopped": async (args) => {
    const bridge = startConversation(ASKING, { args });
    await initialize(bridge, { options: { prompt_timeout_ms: 1000 } });
    bridge.send({ type: "user_message", text: "go" });
    const { request_id } = await bridge.next(({ request_id }) => request_id !== undefined);
    await stopped(bridge, () =>
      bridge.send({ type: "tool_approval", request_id, decision: "allow" }),
    );
    await bridge.next("turn_complete");
    bridge.closeInput();
    return bridge;
  },
  "lines that are none, from both sides": async (args) => {
    const lines = [out("debug: 1"), out(`{"long":"${"x".repeat(60_000)}"}`)];
    const bridge = startConversation([...HALF_A_TURN, ...lines, ...HELD.slice(-1)], {
      args: [...args, "--max-line-bytes=50000"],
    });
    bridge.sendRaw(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("\n")]));
    bridge.sendRaw(`{"type":"nonsense"}\n{"type":\n"${"x".repeat(50_000)}"\n`);
    await initialize(bridge);
    bridge.send({ type: "user_message", text: "go" });
    await bridge.next(({ code, source }) => code === "line_too_long" && source === "claude");
    bridge.closeInput();
    return bridge;
  },
};

/** The sessions whose recordings are kept, by the names of the files. */
const KEPT = [
  "lines that are nested deep, from both sides",
  "an interrupt while the bridge is stopped",
  "a prompt that is answered while the bridge is stopped",
  "a prompt that expires",
  "a model that says nothing more",
  "a Claude that has to be killed",
  "other conversations, left for each other",
  "lines that are none, from both sides",
];

test.each(Object.entries(SESSIONS))("%s replays without differences", async (name, session) => {
  const path = newRecording();
  const bridge = await session([`--record=${path}`]);
  ends.push(() => bridge.kill());
  const code = await bridge.exited;
  const replay = await replayFile(path);
  expectAsItWas(replay);
  expect(replay.emitted.map(({ type }) => type)).toEqual(bridge.received.map(({ type }) => type));
  if (KEPT.includes(name)) maybeKeep(path, `simulator ${name}`);
  expect(readFileSync(path, "utf8")).toEndWith(`"dir":"ended","msg":${code}}\n`);
});

test("a session whose host stops reading for a while replays without differences", async () => {
  const path = newRecording();
  const host = await startSilently({ TUGTALK_SIM_FLOOD: "2000x1024" }, [`--record=${path}`]);
  ends.push(host.kill);
  host.send(START_NEW);
  const { pid } = await host.readUntil(({ type }) => type === "process_started");
  await host.readUntil(({ state }) => state === "idle");
  host.send({ type: "user_message", text: "go" });
  await host.readUntil(({ status }) => status === "partial");
  await areStill(host.pid, Number(pid));
  await host.readUntil(({ type }) => type === "turn_complete");
  host.closeInput();
  expect(await host.readToEnd()).toBe(0);
  expect(readFileSync(path, "utf8")).toContain('"dir":"host_drained"');
  expectAsItWas(await replayFile(path));
}, 60_000);

test("a session whose host closes its pipe replays without differences", async () => {
  const path = newRecording();
  const child = Bun.spawn([...UNDER_TEST, `--claude=${STAND_IN}`, `--record=${path}`], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  ends.push(() => child.kill("SIGKILL"));
  const reader = child.stdout.getReader();
  child.stdin.write(`${JSON.stringify(START_NEW)}\n`);
  await child.stdin.flush();
  parseEmittedText(Buffer.from((await reader.read()).value ?? []).toString());
  await reader.cancel();
  child.stdin.write(`${JSON.stringify({ type: "user_message", text: "hello?" })}\n`);
  await child.stdin.flush();
  expect(await child.exited).toBe(0);
  expect(readFileSync(path, "utf8")).toContain('"dir":"host_gone"');
  expect((await replayFile(path)).differences).toEqual([]);
});

test("a session whose host closes its pipe during an answer reports no lost line of Claude", async () => {
  const path = newRecording();
  const child = Bun.spawn([...UNDER_TEST, `--claude=${STAND_IN}`, `--record=${path}`], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, TUGTALK_SIM_FLOOD: "20000x100" },
  });
  ends.push(() => child.kill("SIGKILL"));
  const reader = child.stdout.getReader();
  child.stdin.write(`${JSON.stringify(START_NEW)}\n`);
  child.stdin.write(`${JSON.stringify({ type: "user_message", text: "go" })}\n`);
  await child.stdin.flush();
  let text = "";
  while (!text.includes('"status":"partial"'))
    text += Buffer.from((await reader.read()).value ?? []);
  await reader.cancel();
  parseEmittedText(text);
  await child.exited;
  const [, after = ""] = readFileSync(path, "utf8").split('"dir":"host_gone"');
  expect(after).toContain('"dir":"out"');
  const { differences, silent } = await replayFile(path);
  expect(differences).toEqual([]);
  expect([...silent.unlisted]).toEqual([]);
  expect([...silent.listed.keys()]).not.toContain("result (before Claude was ready)");
});
