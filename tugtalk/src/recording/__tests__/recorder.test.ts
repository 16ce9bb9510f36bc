/**
 * `--record`: the content of the file, and that a problem with the file does not affect the
 * session. Replays of recordings are tested in `replay/__tests__`.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRecording } from "../../../replay/recording-text.ts";
import { textDelta, toolBlock } from "../../../simulator/stream-events.ts";
import {
  type BridgeOptions,
  type Received,
  startBridge,
  type TestBridge,
  UNDER_TEST,
} from "../../../testing/drivers/bridge-process.ts";
import {
  bringTo,
  HALF_A_TURN,
  initialize,
  startConversation,
} from "../../../testing/drivers/bridge-states.ts";
import { endCleanly } from "../../../testing/drivers/clean-end.ts";
import {
  event,
  OPENING,
  out,
  RESULT,
  says,
  toolResult,
} from "../../../testing/drivers/written-conversation.ts";
import { END_OF_PIPE, type RecordingEntry, RecordingHeader } from "../recording.ts";

const folder = mkdtempSync(join(tmpdir(), "recorder-"));

let bridge: TestBridge | undefined;
afterEach(() => bridge?.kill());

function entriesOf(path: string): readonly RecordingEntry[] {
  return parseRecording(readFileSync(path, "utf8")).entries;
}

/** Entries that are no traffic of the pipes. The last two are there when the machine is slow. */
const BESIDE_THE_PIPES: readonly RecordingEntry["dir"][] = ["emit", "id", "host_drained", "timer"];

test("both sides of a session are recorded in order with their times", async () => {
  const path = join(folder, "whole.jsonl");
  bridge = await bringTo("idle", { args: [`--record=${path}`] });
  bridge.send({ type: "user_message", text: "hello", id: "m" });
  await bridge.next("turn_complete");
  await endCleanly(bridge);
  const [header = ""] = readFileSync(path, "utf8").split("\n");
  expect(RecordingHeader.parse(JSON.parse(header).msg)).toMatchObject({ on_eof: "interrupt" });
  const entries = entriesOf(path);
  const emitted = entries.flatMap((entry) => (entry.dir === "emit" ? [entry.msg] : []));
  expect(emitted).toEqual([...bridge.received] as never);
  const others = entries.map(({ dir }) => dir).filter((dir) => !BESIDE_THE_PIPES.includes(dir));
  expect(others.slice(0, 3)).toEqual(["host", "spawn", "in"]);
  expect(others.slice(-5, -3)).toEqual(["host", "in"]);
  // The system decides whether the end of Claude or of its stdout is noticed first.
  expect(others.slice(-3, -1).sort()).toEqual(["exit", "out"]);
  expect(others.at(-1)).toBe("ended");
  const times = entries.map(({ t }) => t);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

test("lines that are not JSON, not UTF-8 or too long are masked in full", async () => {
  const path = join(folder, "odd.jsonl");
  bridge = startBridge({ args: [`--record=${path}`, "--max-line-bytes=100"] });
  bridge.sendRaw("not { JSON\n[1]\n");
  bridge.sendRaw(Buffer.from([0xff, 0x41, 0x0a]));
  bridge.sendRaw(`${"x".repeat(101)}\n{"type":"shutdown","$a":1}`);
  bridge.closeInput();
  await bridge.exited;
  const said = entriesOf(path).flatMap(({ dir, msg }) => (dir === "host" ? [msg] : []));
  expect(said).toEqual([
    "██████████",
    "[1]",
    { $not_utf8_bytes: 2 },
    { $overlong_bytes: 101, head: "{}", edges: "" },
    '{"type":"shutdown","$a":1}',
    END_OF_PIPE,
  ]);
});

test("a lookup of the bridge is recorded with its result", async () => {
  const path = join(folder, "lookup.jsonl");
  bridge = await bringTo("idle", { args: [`--record=${path}`] });
  const request = { type: "session_history", session_id: crypto.randomUUID() };
  bridge.send(request);
  await bridge.next("error");
  await endCleanly(bridge);
  expect(entriesOf(path)).toContainEqual(
    expect.objectContaining({
      dir: "lookup_failed",
      msg: expect.objectContaining({ what: "past", about: [expect.objectContaining(request)] }),
    }),
  );
});

/** Made-up secrets, each in another place. */
const PLANTED = {
  variable: "planted-key-of-the-environment",
  option: "planted-value-of-an-option",
  mcpEnv: 'planted "quoted" \\ value of a server',
  mcpHeader: "planted-header-value",
  later: "planted-value-of-a-later-server",
  mcpArgument: "planted-argument",
  oddLine: "planted-in-an-odd-line",
  hostText: "ghp_plantedInHostText0123456789",
  attachment: "AKIAPLANTEDATTACHMENT1",
  streamed: "sk-ant-planted-in-a-stream-0123456789",
  toolInput: "sk-ant-planted-in-tool-input-01234",
  toolOutput: "xoxb-0123456789-plantedInOutput",
  noise: "sk-ant-planted-in-a-line-of-noise",
  bytes: "sk-ant-planted-in-bytes-01234",
  stderr: "sk-ant-planted-on-stderr-0123456",
  person: "mallory-mountweazel",
};

/** Claude prints secrets in lines of every kind. */
const TELLING = [
  ...HALF_A_TURN.slice(0, -1),
  ...(`the key is ${PLANTED.streamed} and`.match(/.{1,3}/g) ?? []).map((text) =>
    event(textDelta(text)),
  ),
  says("m", toolBlock("t", "Bash", { command: `x ${PLANTED.toolInput}` })),
  toolResult("t", PLANTED.toolOutput, {
    tool_use_result: { stdout: PLANTED.toolOutput, headers: { "X-A": "tiny" } },
  }),
  out(`debug: ${PLANTED.noise}`),
  out({ type: "news_of_the_future", payload: `{"a":"${PLANTED.mcpHeader}"}` }),
  { dir: "err", msg: `cannot use ${PLANTED.stderr} and ${PLANTED.variable}\n` },
  out(RESULT),
  { dir: "exit", msg: { code: 1, signal: null } },
];

const SERVERS = {
  one: {
    command: "/nowhere",
    args: ["--token", PLANTED.mcpArgument],
    env: { PLANTED: PLANTED.mcpEnv },
  },
  two: { type: "http", url: "http://127.0.0.1:9", headers: { "X-Own": PLANTED.mcpHeader } },
};

/** A session with secrets in both directions. */
async function tellSecrets(path: string): Promise<TestBridge> {
  const options: BridgeOptions = {
    args: [`--record=${path}`],
    env: { PLANTED_TOKEN: PLANTED.variable, HOME: join(folder, PLANTED.person) },
  };
  const telling = startConversation(TELLING, options);
  await initialize(telling, {
    options: { env: { PLANTED: PLANTED.option }, mcp_config: { mcpServers: SERVERS } },
  });
  const servers = { three: { command: "/nowhere", env: { PLANTED: PLANTED.later } } };
  telling.send({ type: "control", subtype: "mcp_set_servers", servers, id: "set" });
  await telling.next("control_result");
  telling.sendRaw(`{"type":"nonsense","$own":1,"headers":{"A":"${PLANTED.oddLine}"}}\n`);
  telling.sendRaw(Buffer.concat([Buffer.from([0xff]), Buffer.from(`${PLANTED.bytes}\n`)]));
  const text = Object.values(PLANTED).slice(0, 7).join(" then ");
  const attachments = [
    { filename: "a.txt", media_type: "text/plain", content: `in it: ${PLANTED.attachment}` },
  ];
  telling.send({ type: "user_message", text, attachments, id: "m" });
  await telling.next("process_exit");
  await endCleanly(telling);
  return telling;
}

describe("recording with secrets", () => {
  const path = join(folder, "secrets.jsonl");

  test("a recording with secrets has none of the secrets in any form", async () => {
    bridge = await tellSecrets(path);
    const recording = readFileSync(path, "utf8");
    const emitted = JSON.stringify(bridge.received);
    for (const [place, secret] of Object.entries(PLANTED)) {
      for (const form of [secret, JSON.stringify(secret).slice(1, -1)])
        expect({ place, isIn: recording.includes(form) }).toEqual({ place, isIn: false });
    }
    // They were emitted to the host, so they passed the recorder.
    for (const secret of [PLANTED.toolInput, PLANTED.toolOutput, PLANTED.noise, PLANTED.stderr])
      expect({ secret, isEmitted: emitted.includes(secret) }).toEqual({ secret, isEmitted: true });
  });

  test("a recording with secrets has streamed text masked across its deltas", () => {
    const emitted = entriesOf(path).flatMap((entry) => (entry.dir === "emit" ? [entry.msg] : []));
    const pieces = (emitted as unknown as readonly Received[]).flatMap(({ type, status, text }) =>
      type === "assistant_text" && status === "partial" ? [String(text)] : [],
    );
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join("")).toBe(`the key is ${"█".repeat(PLANTED.streamed.length)} and`);
  });
});

test("a recording is readable by its owner only", async () => {
  const path = join(folder, "mine.jsonl");
  bridge = await bringTo("idle", { args: [`--record=${path}`] });
  expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  await endCleanly(bridge);
});

test("an existing file is not overwritten, and the bridge does not start", async () => {
  const path = join(folder, "there.jsonl");
  writeFileSync(path, "mine");
  bridge = startBridge({ args: [`--record=${path}`] });
  expect(await bridge.exited).toBe(2);
  expect(bridge.received).toEqual([]);
  expect(bridge.stderr()).toMatch(/^cannot record: EEXIST.*there\.jsonl/);
  expect(readFileSync(path, "utf8")).toBe("mine");
});

test("a file that cannot be created stops the start of the bridge", async () => {
  bridge = startBridge({ args: [`--record=${join(folder, "no", "such", "folder")}`] });
  expect(await bridge.exited).toBe(2);
  expect(bridge.stderr()).toStartWith("cannot record: ENOENT");
});

test("a full disk ends the recording with one line in the log, and the session continues", async () => {
  const path = join(folder, "full.jsonl");
  const limited = join(folder, "limited.sh");
  // Files of this process end after 8 blocks, of 512 or 1024 bytes.
  writeFileSync(limited, `#!/bin/sh\ntrap "" XFSZ\nulimit -f 8\nexec "$@"\n`);
  chmodSync(limited, 0o755);
  bridge = startBridge({ command: [limited, ...UNDER_TEST], args: [`--record=${path}`] });
  await initialize(bridge);
  for (const text of ["a".repeat(3000), "b".repeat(3000), "c".repeat(3000)]) {
    bridge.send({ type: "user_message", text });
    expect((await bridge.next("turn_complete"))["result"]).toBe("success");
  }
  await endCleanly(bridge);
  expect(bridge.stderr().match(/the recording ends here: /g)).toHaveLength(1);
  expect(statSync(path).size).toBeGreaterThan(1000);
  expect(statSync(path).size).toBeLessThanOrEqual(8 * 1024);
});

test("a killed bridge leaves all entries before its end", async () => {
  const path = join(folder, "killed.jsonl");
  bridge = await bringTo("streaming", { args: [`--record=${path}`] });
  // The answer reads the disk: earlier entries have been written by then.
  bridge.send({ type: "session_list", id: "list" });
  await bridge.next("session_list_result");
  bridge.kill();
  await bridge.exited;
  const events = entriesOf(path).map(({ dir }) => dir);
  expect(events).toContain("spawn");
  expect(events).not.toContain("ended");
});

test("the same messages are emitted with and without a recording", async () => {
  const emitted = async (args: readonly string[]) => {
    const talking = startConversation([...OPENING, out(RESULT)], { args });
    await initialize(talking);
    talking.send({ type: "user_message", text: "go" });
    await talking.next("turn_complete");
    await endCleanly(talking);
    return talking.received.map(({ type, seq }) => [seq, type]);
  };
  expect(await emitted([`--record=${join(folder, "same.jsonl")}`])).toEqual(await emitted([]));
});
