/** `tugtalk simulate`: its command line, and what its options do. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import {
  type Received,
  startBridge,
  type TestBridge,
  UNDER_TEST,
} from "../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../testing/drivers/claudes.ts";
import { endCleanly } from "../testing/drivers/clean-end.ts";

const bridges: TestBridge[] = [];
afterEach(() => {
  for (const bridge of bridges.splice(0)) bridge.kill();
});

/** Starts `tugtalk simulate` with these words behind it. */
function simulate(...words: readonly string[]): TestBridge {
  const bridge = startBridge({ command: [...UNDER_TEST, "simulate", ...words], claude: "" });
  bridges.push(bridge);
  return bridge;
}

async function run(...words: readonly string[]) {
  const child = Bun.spawn([...UNDER_TEST, "simulate", ...words], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

/** Plays the first turn of the demonstration to its end; resolves to everything received. */
async function playTurn(bridge: TestBridge): Promise<readonly Received[]> {
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  await bridge.next("session_capabilities");
  bridge.send({ type: "user_message", text: "hello", id: "hello" });
  await bridge.next(({ type, state }) => type === "command_lifecycle" && state === "completed");
  await endCleanly(bridge);
  return bridge.received;
}

test("without a name the demonstration is played", async () => {
  const received = await playTurn(simulate("--speed=max"));
  const end = received.find(({ type }) => type === "turn_complete");
  expect(String(end?.["text"])).toContain("**demonstration**");
});

test("simulate accepts the options of the bridge", async () => {
  const bridge = simulate("--log-level", "silent", "--dir", import.meta.dir, "--speed", "max");
  const received = await playTurn(bridge);
  const metadata = received.find(({ type }) => type === "system_metadata");
  expect(metadata?.["cwd"]).toBe(import.meta.dir);
});

test("after the last turn of a scenario comes the first again, with other ids", async () => {
  const bridge = simulate("fallback", "--speed=max");
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  for (const id of ["one", "two"]) {
    bridge.send({ type: "user_message", text: "go", id });
    await bridge.next("turn_complete");
  }
  await endCleanly(bridge);
  const texts = bridge.received.filter(
    ({ type, is_partial }) => type === "assistant_text" && is_partial === false,
  );
  expect(texts.length).toBe(2);
  expect(texts[1]?.["text"]).toBe(texts[0]?.["text"]);
  expect(texts[1]?.["msg_id"]).not.toBe(texts[0]?.["msg_id"]);
});

test("the costs of the turns add up to those of the session, and to those of its model", async () => {
  const bridge = simulate("subagents", "--speed=max");
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  for (const _turn of [1, 2]) {
    bridge.send({ type: "user_message", text: "go" });
    const prompt = await bridge.next(
      ({ type }) => type === "control_request_forward" || type === "turn_complete",
    );
    if (prompt.type === "turn_complete") continue;
    bridge.send({ type: "tool_approval", request_id: prompt["request_id"], decision: "allow" });
    await bridge.next("turn_complete");
  }
  await endCleanly(bridge);
  const costs = bridge.received.filter(({ type }) => type === "cost_update");
  const sum = costs.reduce((total, cost) => total + Number(cost["turn_cost_usd"]), 0);
  const last = costs.at(-1);
  expect(costs).toHaveLength(2);
  expect(last?.["total_cost_usd"]).toBeCloseTo(sum, 9);
  const models = Object.values(last?.["modelUsage"] as Record<string, { costUSD: number }>);
  expect(models.map(({ costUSD }) => costUSD)).toEqual([expect.closeTo(sum, 9)]);
});

test("a person who starts it in a terminal is told what it waits for", async () => {
  const hint = "waiting for lines of JSON, such as those of a host; tugtalk --help";
  let shown = "";
  const child = Bun.spawn([...UNDER_TEST, "simulate"], {
    terminal: {
      data: (terminal, chunk) => {
        shown += new TextDecoder().decode(chunk);
        if (shown.includes(hint)) terminal.write("\x04");
      },
    },
  });
  expect(await child.exited).toBe(0);
  expect(shown).toContain(hint);
});

test("no real conversation is listed, and none is kept", async () => {
  const bridge = simulate("--speed=max");
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  bridge.send({ type: "session_list", id: "list" });
  expect(await bridge.next("session_list_result")).toMatchObject({ sessions: [] });
  await endCleanly(bridge);
});

test("the scenario history has a long conversation to list, to read page by page and to resume", async () => {
  const bridge = simulate("history", "--speed=max");
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  await bridge.next("session_capabilities");
  bridge.send({ type: "session_list", id: "list" });
  const listed = await bridge.next("session_list_result");
  const sessions = listed["sessions"] as readonly Received[];
  expect(sessions.length).toBe(3);
  const long = sessions.find(({ title }) => String(title).includes("thousand turns"));
  const session_id = long?.["session_id"];
  bridge.send({ type: "session_history", session_id, id: "page" });
  const page = await bridge.next("session_history_result");
  expect(JSON.stringify(page["messages"])).toContain("Answer 1000: it says that it is file 1000.");
  bridge.send({ type: "session_command", command: "resume", session_id, id: "resume" });
  expect(await bridge.next("control_result")).toMatchObject({ ok: true });
  bridge.send({ type: "user_message", text: "go", id: "go" });
  await bridge.next("turn_complete");
  await endCleanly(bridge);
});

/** What differs from run to run even where the seed is the same. */
const UNREPEATABLE = new Set(["pid", "instance_id"]);

function repeatable(received: readonly Received[]): unknown {
  return JSON.parse(
    JSON.stringify(received, (key, value) => (UNREPEATABLE.has(key) ? undefined : value)),
  );
}

test("the same seed and the same messages give the same messages", async () => {
  const one = await playTurn(simulate("--speed=max", "--seed=5"));
  const other = await playTurn(simulate("--speed=max", "--seed=5"));
  expect(repeatable(other)).toEqual(repeatable(one));
});

test("another seed gives other ids, and every process has another instance_id", async () => {
  const acks = ["5", "5", "6"].map(async (seed) => {
    const [ack] = await playTurn(simulate("--speed=max", `--seed=${seed}`));
    return { instance: ack?.["instance_id"], session: ack?.["session_id"] };
  });
  const [one, same, other] = await Promise.all(acks);
  expect(one?.session).toBe(same?.session);
  expect(one?.session).not.toBe(other?.session);
  expect(one?.instance).not.toBe(same?.instance);
});

test("a slower speed makes the pauses of a turn longer", async () => {
  const times: number[] = [];
  for (const speed of ["0.5", "max"]) {
    const from = performance.now();
    await playTurn(simulate(`--speed=${speed}`));
    times.push(performance.now() - from);
  }
  const [slow = 0, fast = 0] = times;
  // The first turn of the demonstration pauses for more than a second at speed 1.
  expect(slow).toBeGreaterThan(2000);
  expect(slow).toBeGreaterThan(fast);
});

test("an interrupt in a long pause ends the turn, and Claude stays", async () => {
  const bridge = simulate("slow");
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  bridge.send({ type: "user_message", text: "go", id: "go" });
  await bridge.next("system_metadata");
  bridge.send({ type: "interrupt", id: "stop" });
  expect(await bridge.next("turn_complete")).toMatchObject({ result: "cancelled" });
  await endCleanly(bridge);
  const exits = bridge.received.filter(({ type }) => type === "process_exit");
  expect(exits).toMatchObject([{ signal: null, expected: true }]);
});

test("the list has each scenario with what it shows and what to type", async () => {
  const { code, stdout, stderr } = await run("--list");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^demonstration\n {4}shows: .+\n {4}type: {2}.+\n/);
});

test("the help of simulate names its options", async () => {
  const { code, stdout } = await run("--help");
  expect(code).toBe(0);
  for (const flag of ["--list", "--speed", "--seed"]) expect(stdout).toContain(flag);
});

test.each([
  [["nowhere"], 'no scenario "nowhere"; there are demonstration'],
  [["demonstration", "more"], "unexpected word: more"],
  [["--speed=fast"], "--speed: expected a factor or max, got fast"],
  [["--claude=x"], "Unknown option '--claude'"],
  [["--on-eof=x"], "--on-eof"],
] as const)("the words %j are an error with exit code 2", async (words, problem) => {
  const { code, stdout, stderr } = await run(...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(problem);
});

test("the stand-in says with --help how it is configured", async () => {
  const child = Bun.spawn([process.execPath, STAND_IN, "--help"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  const source = await Bun.file(join(import.meta.dir, "..", "simulator", "stand-in.ts")).text();
  const read = [...source.matchAll(/\b(TUGTALK_\w+)(?:"\]|:)/g)].map(([, name = ""]) => name);
  expect(read.length).toBeGreaterThan(5);
  expect([...new Set(read)].filter((name) => !text.includes(`  ${name} `))).toEqual([]);
});

test.each([
  ["simulate", ["simulate", "--speed=max"]],
  ["--claude with a TypeScript file", [`--claude=${STAND_IN}`]],
] as const)("%s needs no bun on PATH", async (_name, words) => {
  const env = { PATH: "", HOME: process.env["TMPDIR"] ?? "/tmp" };
  const bridge = startBridge({
    command: [...UNDER_TEST, ...words],
    claude: "",
    env,
    isIsolated: true,
  });
  bridges.push(bridge);
  const received = await playTurn(bridge);
  expect(received.map(({ type }) => type)).toContain("turn_complete");
});

test("where no temporary file can be written, one line says so", async () => {
  const child = Bun.spawn([...UNDER_TEST, "simulate"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TMPDIR: "/proc" }, // Read-only for everybody.
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect({ out, code: await child.exited }).toEqual({ out: "", code: 1 });
  expect(err).toMatch(/^tugtalk simulate: no temporary folder: .*TMPDIR names another place\n$/);
});
