/** `tugtalk simulate`: its command line, and the effects of its options. */
import { afterEach, expect, test } from "bun:test";
import {
  type Received,
  startBridge,
  type TestBridge,
  UNDER_TEST,
} from "../testing/drivers/bridge-process.ts";
import { endCleanly } from "../testing/drivers/clean-end.ts";
import { runCommand } from "../testing/drivers/ended-command.ts";

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

function run(env: Readonly<Record<string, string>>, ...words: readonly string[]) {
  return runCommand([...UNDER_TEST, "simulate", ...words], { env: { ...process.env, ...env } });
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

test("simulate accepts the options of the bridge", async () => {
  const bridge = simulate("--log-level", "silent", "--dir", import.meta.dir, "--speed", "max");
  const received = await playTurn(bridge);
  const metadata = received.find(({ type }) => type === "system_metadata");
  expect(metadata?.["cwd"]).toBe(import.meta.dir);
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

/** The fields that differ from run to run even with the same seed. */
const UNREPEATABLE = new Set(["pid", "instance_id"]);

function repeatable(received: readonly Received[]): unknown {
  return JSON.parse(
    JSON.stringify(received, (key, value) => (UNREPEATABLE.has(key) ? undefined : value)),
  );
}

test("the same seed gives the same messages but for the process, and another seed gives other ids", async () => {
  const [one, same, other] = await Promise.all(
    ["5", "5", "6"].map((seed) => playTurn(simulate("--speed=max", `--seed=${seed}`))),
  );
  expect(repeatable(same ?? [])).toEqual(repeatable(one ?? []));
  expect(one?.[0]?.["session_id"]).not.toBe(other?.[0]?.["session_id"]);
  expect(one?.[0]?.["instance_id"]).not.toBe(same?.[0]?.["instance_id"]);
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

test("the list has each scenario with what it shows and what to type, and the help the options", async () => {
  const list = await run({}, "--list");
  expect(list).toMatchObject({ code: 0, err: "" });
  expect(list.out).toMatch(/^demonstration\n {4}shows: .+\n {4}type: {2}.+\n/);
  const help = await run({}, "--help");
  expect(help.code).toBe(0);
  for (const flag of ["--list", "--speed", "--seed"]) expect(help.out).toContain(flag);
});

test.each([
  [["nowhere"], 'no scenario "nowhere"; there are demonstration'],
  [["demonstration", "more"], "unexpected word: more"],
  [["--speed=fast"], "--speed: expected a factor or max, got fast"],
  [["--claude=x"], "Unknown option '--claude'"],
  [["--on-eof=x"], "--on-eof"],
] as const)("the words %j are an error with exit code 2", async (words, problem) => {
  const { code, out, err } = await run({}, ...words);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(problem);
});

test("--claude with a TypeScript file needs no bun on PATH", async () => {
  const env = { PATH: "", HOME: process.env["TMPDIR"] ?? "/tmp" };
  const bridge = startBridge({ env, isIsolated: true });
  bridges.push(bridge);
  const received = await playTurn(bridge);
  expect(received.map(({ type }) => type)).toContain("turn_complete");
});

test("where no temporary file can be written, one line says so", async () => {
  // Read-only for everybody.
  const { code, out, err } = await run({ TMPDIR: "/proc" });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(/^tugtalk simulate: no temporary folder: .*TMPDIR names another place\n$/);
});
