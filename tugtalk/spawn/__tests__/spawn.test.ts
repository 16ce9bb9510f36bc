/** `spawnTugtalk` with real bridges whose Claude is the stand-in. */
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allow, isPrompt } from "../../client/answers.ts";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../../testing/drivers/claudes.ts";
import { failureOf } from "../../testing/drivers/failure.ts";
import { leftAfter } from "../../testing/drivers/processes.ts";
import {
  EndedError,
  RequestError,
  type SpawnOptions,
  spawnTugtalk,
  type Tugtalk,
} from "../spawn.ts";

const SPAWN = join(import.meta.dir, "..", "spawn.ts");

let running: Tugtalk[] = [];
afterEach(async () => {
  for (const tugtalk of running) tugtalk.kill("SIGKILL");
  running = [];
});

async function start(options: SpawnOptions = {}): Promise<Tugtalk> {
  const env = { TUGTALK_SIM_SPEED: "max", ...options.env };
  const command = CHECKED_COMMAND;
  const tugtalk = await spawnTugtalk({ command, claude: STAND_IN, ...options, env });
  running.push(tugtalk);
  return tugtalk;
}

const INIT = { type: "protocol_init", version: 2 } as const;

test("a request resolves with its answer, and messages have all answers in order", async () => {
  const tugtalk = await start();
  const ack = await tugtalk.request(INIT);
  expect(ack.tugtalk_version).toMatch(/^\d/);
  const receipt = await tugtalk.request({ type: "user_message", text: "hi" });
  expect(receipt.status).toBe("queued");
  let said = "";
  const seqs: number[] = [];
  for await (const message of tugtalk.messages) {
    seqs.push(message.seq);
    if (message.type === "assistant_text" && !message.is_partial) said += message.text;
    if (message.type === "turn_complete") void tugtalk.close();
  }
  expect(said).toBe("You said: hi");
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(await tugtalk.exited).toEqual({ code: 0, signal: null });
});

test("an answer to a prompt is a request that resolves with the message that closes the prompt", async () => {
  const tugtalk = await start({ simulate: true, claude: undefined, args: ["--speed=max"] });
  tugtalk.send(INIT);
  tugtalk.send({ type: "user_message", text: "go" });
  for await (const message of tugtalk.messages) {
    if (message.type === "turn_complete") tugtalk.send({ type: "user_message", text: "and then?" });
    if (!isPrompt(message) || message.type !== "control_request_forward") continue;
    const resolved = await tugtalk.request(allow(message));
    expect(resolved).toMatchObject({ request_id: message.request_id, outcome: "allow" });
    break;
  }
  await tugtalk.close();
});

test("a loop that is left can be continued by another", async () => {
  const tugtalk = await start();
  tugtalk.send(INIT);
  const seqs: number[] = [];
  for await (const { seq } of tugtalk.messages) if (seqs.push(seq) === 2) break;
  void tugtalk.close();
  for await (const { seq } of tugtalk.messages) seqs.push(seq);
  expect(seqs.length).toBeGreaterThan(2);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
});

test("a request that is answered by an error rejects with its code", async () => {
  const tugtalk = await start();
  await tugtalk.request(INIT);
  const error = await failureOf(tugtalk.request({ type: "user_message", text: "" }));
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ code: "message_rejected", cause: { type: "error" } });
});

test("a second request with the id of one that waits is rejected", async () => {
  const tugtalk = await start();
  await tugtalk.request(INIT);
  const first = tugtalk.request({ type: "session_list", id: "a" });
  const error = await failureOf(tugtalk.request({ type: "session_list", id: "a" }));
  expect(String(error)).toContain("a request with the id a waits already");
  expect((await first).type).toBe("session_list_result");
});

test("a request that is too long for the bridge rejects at once", async () => {
  const tugtalk = await start({ args: ["--max-line-bytes=4000"] });
  await tugtalk.request(INIT);
  const text = "x".repeat(10_000);
  const error = await failureOf(tugtalk.request({ type: "user_message", text }));
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ code: "line_too_long" });
  expect((await tugtalk.request({ type: "user_message", text: "short" })).status).toBe("queued");
});

test("equal ids in two channels are two requests, each with its own answer", async () => {
  const tugtalk = await start({ args: ["--multiplex", "--max-line-bytes=4000"] });
  const init = (channel: string) => tugtalk.request({ ...INIT, channel, id: "same" });
  const acks = await Promise.all([init("a"), init("b")]);
  expect(acks.map(({ channel }) => channel)).toEqual(["a", "b"]);
  const unopened = failureOf(tugtalk.request({ type: "interrupt", channel: "c", id: "same" }));
  const unnamed = failureOf(tugtalk.request({ type: "interrupt", channel: "", id: "same" }));
  const text = "x".repeat(10_000);
  const tooLong = failureOf(
    tugtalk.request({ type: "user_message", channel: "b", id: "same", text }),
  );
  const listed = tugtalk.request({ type: "session_list", channel: "a", id: "same" });
  expect(await unopened).toMatchObject({ code: "bad_channel", cause: { of_channel: "c" } });
  expect(await unnamed).toMatchObject({ code: "bad_channel" });
  expect(await tooLong).toMatchObject({ code: "line_too_long", cause: { channel: "b" } });
  expect((await listed).channel).toBe("a");
});

test("a channel that a bridge without channels ignores keeps no request waiting", async () => {
  const tugtalk = await start();
  expect((await tugtalk.request({ ...INIT, channel: "a" })).channel).toBeUndefined();
});

test("a request that is no JSON rejects, and nothing waits for its answer", async () => {
  const tugtalk = await start();
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const request = { type: "control", subtype: "x", id: "again", circular } as const;
  expect(await failureOf(tugtalk.request(request))).toBeInstanceOf(TypeError);
  expect((await tugtalk.request({ ...INIT, id: "again" })).in_reply_to).toBe("again");
});

test("requests reject when tugtalk ends before its answer, and later ones too", async () => {
  const tugtalk = await start({ command: ["/bin/sh", "-c", "read line; exit 3"] });
  const error = await failureOf(tugtalk.request(INIT));
  expect(error).toBeInstanceOf(EndedError);
  expect(error).toMatchObject({ exit: { code: 3, signal: null } });
  expect(await failureOf(tugtalk.request(INIT))).toBeInstanceOf(EndedError);
});

test("at the end of an await using block tugtalk has ended, although nobody read its messages", async () => {
  let pid = 0;
  {
    await using tugtalk = await start();
    pid = tugtalk.pid;
    await tugtalk.request(INIT);
  }
  expect(await leftAfter([pid], 0)).toEqual([]);
});

test("a command that does not exist is an error that names it", async () => {
  const error = await failureOf(spawnTugtalk({ command: ["/nowhere/tugtalk"] }));
  expect(String(error)).toStartWith("Error: cannot start /nowhere/tugtalk: ");
});

test("an aborted signal ends tugtalk, and one that was aborted before starts nothing", async () => {
  const controller = new AbortController();
  const tugtalk = await start({ signal: controller.signal });
  await tugtalk.request(INIT);
  controller.abort(new Error("enough"));
  expect(await tugtalk.exited).toEqual({ code: 0, signal: null });
  const error = await failureOf(spawnTugtalk({ signal: controller.signal }));
  expect(error).toMatchObject({ message: "enough" });
});

test("messages to a tugtalk that has closed its input are lost without harm", async () => {
  const script = `exec 0<&-; echo '{"type":"x"}'; exec sleep 600`;
  const tugtalk = await start({ command: ["/bin/sh", "-c", script] });
  const messages = tugtalk.messages[Symbol.asyncIterator]();
  expect((await messages.next()).done).toBe(false);
  for (let sent = 0; sent < 3; sent += 1)
    tugtalk.send({ type: "user_message", text: "x".repeat(1_000_000) });
  void tugtalk.close();
  tugtalk.send(INIT);
  tugtalk.kill();
  expect((await messages.next()).done).toBe(true);
  expect(await tugtalk.exited).toEqual({ code: null, signal: "SIGTERM" });
});

test("output that is no message ends tugtalk and the loop with an error", async () => {
  const command = ["/bin/sh", "-c", `echo '{"type":"x"}'; echo hello; exec sleep 600`];
  const tugtalk = await start({ command });
  const types: string[] = [];
  const read = async () => {
    for await (const { type } of tugtalk.messages) types.push(type);
  };
  expect(String(await failureOf(read()))).toContain("not a message of tugtalk: not JSON: hello");
  expect(types).toEqual(["x" as never]);
  expect(await tugtalk.exited).toMatchObject({ signal: "SIGKILL" });
});

test("the flags, the environment and the lines of stderr are the host's choice", async () => {
  const lines: string[] = [];
  const command = ["/bin/sh", "-c", 'echo "$A $B" >&2; echo "$@" >&2', "sh"];
  const env = { A: "a", B: undefined };
  const options = { command, dir: "/d", claude: "c", args: ["--on-eof=drain"], env };
  process.env["B"] = "b";
  const tugtalk = await start({ ...options, stderr: (line) => lines.push(line) });
  await tugtalk.exited;
  delete process.env["B"];
  for await (const _ of tugtalk.messages);
  expect(lines).toEqual(["a ", "--dir=/d --claude=c --on-eof=drain"]);
});

test("tugtalk has a process group of its own, so that Ctrl-C reaches only the host", async () => {
  const tugtalk = await start();
  const { stdout } = Bun.spawnSync(["ps", "-o", "pgid=", "-p", String(tugtalk.pid)]);
  expect(Number(stdout.toString())).toBe(tugtalk.pid);
});

/** Starts a host in a folder of its own, whose script continues with the bridge `tugtalk`. */
function startHost(script: string) {
  const file = join(mkdtempSync(join(tmpdir(), "tugtalk-spawn-")), "host.ts");
  const start = `import { spawnTugtalk } from ${JSON.stringify(SPAWN)};
    const tugtalk = await spawnTugtalk({ claude: ${JSON.stringify(STAND_IN)} });
    tugtalk.send({ type: "protocol_init", version: 2 });`;
  writeFileSync(file, `${start}\n${script}`);
  return Bun.spawn([process.execPath, file], { stdio: ["ignore", "pipe", "pipe"] });
}

test("when the host is killed, neither tugtalk nor its Claude is left", async () => {
  const host = startHost(`for await (const { type, pid } of tugtalk.messages)
    if (type === "process_started") console.log(tugtalk.pid, pid);`);
  const { value } = await host.stdout.getReader().read();
  const pids = new TextDecoder().decode(value).trim().split(" ").map(Number);
  expect(pids).toHaveLength(2);
  host.kill("SIGKILL");
  expect(await leftAfter(pids, 10_000)).toEqual([]);
});

test("a host that ends by process.exit finds nothing on its stderr", async () => {
  // The host ends after the bridge's first state. The bridge then reports its end to nobody.
  const host = startHost(`for await (const { type } of tugtalk.messages)
    if (type === "session_state") process.exit(0);`);
  // The bridge inherits this stderr, so the stream ends with the bridge.
  expect(await new Response(host.stderr).text()).toBe("");
  expect(await host.exited).toBe(0);
});

test("settings of Bun in the folder of the host do not reach tugtalk", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-spawn-"));
  writeFileSync(join(folder, ".env"), "TUGTALK_CLAUDE=/from/env/file\n");
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(folder, "preload.ts"), 'console.log("preloaded");\n');
  writeFileSync(
    join(folder, "tsconfig.json"),
    '{"compilerOptions":{"paths":{"*/tugtalk/cli.ts":["./preload.ts"]}}}',
  );
  const script = `
    import { spawnTugtalk } from ${JSON.stringify(SPAWN)};
    const tugtalk = await spawnTugtalk({ env: { PATH: "", HOME: ${JSON.stringify(folder)}, TUGTALK_CLAUDE: undefined } });
    tugtalk.send({ type: "protocol_init", version: 2 });
    for await (const message of tugtalk.messages) console.log(message.type, message.message);
  `;
  writeFileSync(join(folder, "host.ts"), script);
  const host = Bun.spawn(
    [process.execPath, "--no-env-file", "--config=/dev/null", join(folder, "host.ts")],
    { stdio: ["ignore", "pipe", "inherit"], cwd: folder },
  );
  const printed = await new Response(host.stdout).text();
  expect(printed).toContain("error cannot start claude: not on PATH");
  expect(printed).not.toContain("preloaded");
});
