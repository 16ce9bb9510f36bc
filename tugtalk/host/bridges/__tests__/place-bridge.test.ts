/** A place without a network: its command runs the bridge itself, or a program that is no bridge. */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EndedError } from "../../../spawn/spawn-errors.ts";
import { isRunning } from "../../../src/base/processes.ts";
import type { OutboundMessage } from "../../../src/types.ts";
import { CHECKED_COMMAND } from "../../../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../../../testing/drivers/claudes.ts";
import type { Bridge } from "../bridge.ts";
import { LineGate } from "../line-gate.ts";
import { PlaceBridges } from "../place-bridge.ts";

/** A prefix that runs the arguments after it with the bridge of the test as `tugtalk`. */
const HERE = [
  "sh",
  "-c",
  `shift; exec ${CHECKED_COMMAND.join(" ")} --claude=${STAND_IN} "$@"`,
  "sh",
];

/** The same prefix, with the bridge's input copied to a file. */
function heardIn(file: string): readonly string[] {
  return HERE.map((word) => word.replace("exec ", `tee ${file} | `));
}

function bridgesOf(
  command: readonly string[],
  idleExitSeconds = 60,
  isIsolated = false,
  gate = new LineGate(),
) {
  return new PlaceBridges({ name: "box", command, idleExitSeconds }, { isIsolated, gate });
}

const opened: Bridge[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((bridge) => bridge.close()));
});

/** All messages that the session gets, up to the end. */
async function open(places: PlaceBridges, signal?: AbortSignal) {
  const bridge = await places.start(signal);
  opened.push(bridge);
  const seen: OutboundMessage[] = [];
  const claude = Promise.withResolvers<number>();
  const read = async () => {
    for await (const message of bridge.messages) {
      seen.push(message);
      if (message.type === "process_started") claude.resolve(message.pid);
    }
  };
  void read();
  return { bridge, seen, claude: claude.promise };
}

const INIT = { type: "protocol_init", version: 2 } as const;

async function isPlanning(bridge: Bridge): Promise<boolean> {
  return (await bridge.request({ type: "permission_mode", mode: "plan" })).ok;
}

const WAYS = [
  ["shared", false],
  ["isolated", true],
] as const;

/** On a busy machine a sign of life may be late by more than a second. */
const IDLE_SECONDS = 3;

describe.each(WAYS)("%s", (_how, isIsolated) => {
  test("a bridge is kept up beyond its idle time, and its session sees nothing of how", async () => {
    const log = join(mkdtempSync(join(tmpdir(), "place-")), "heard.jsonl");
    const { bridge, seen } = await open(bridgesOf(heardIn(log), IDLE_SECONDS, isIsolated));
    await bridge.request(INIT);
    // The host sends one in each third of the idle time.
    while (readFileSync(log, "utf8").split("cancel_message").length < 6) await Bun.sleep(5);
    expect(await isPlanning(bridge)).toBe(true);
    expect(seen[0]).toMatchObject({ type: "protocol_ack" });
    const strange = seen.filter(
      ({ type, ...rest }) =>
        type === "error" || ("subtype" in rest && rest.subtype === "cancel_message"),
    );
    expect(strange).toEqual([]);
    expect(await bridge.close()).toEqual({ isConfirmed: true });
  });

  test("a bridge whose host may soon be counted as gone is asked nothing, and ends", async () => {
    const gate = new LineGate();
    const { bridge, claude } = await open(bridgesOf(HERE, IDLE_SECONDS, isIsolated, gate));
    await bridge.request(INIT);
    const pid = await claude;
    gate.setGoneAt(performance.now());
    const asked = isPlanning(bridge).catch((error: unknown) => error);
    expect(await asked).toBeInstanceOf(EndedError);
    while (isRunning(pid)) await Bun.sleep(5);
  });

  test("an end before anything was started is confirmed, whatever the exit code", async () => {
    const { bridge } = await open(bridgesOf(HERE, 60, isIsolated));
    process.kill(bridge.pid, "SIGKILL");
    expect(await bridge.ended).toEqual({ isConfirmed: true });
  });

  test("an end that the bridge has not reported is not confirmed", async () => {
    const { bridge, claude } = await open(bridgesOf(HERE, 60, isIsolated));
    await bridge.request(INIT);
    await claude;
    process.kill(bridge.pid, "SIGKILL");
    expect(await bridge.ended).toEqual(lost("by SIGKILL"));
  });
});

function lost(why: string) {
  return { isConfirmed: false, reason: `the connection with box was lost: ${why}` };
}

test("how long a Claude may go on follows from the idle time and from its own time to end", async () => {
  const { bridge } = await open(bridgesOf(HERE, 60));
  expect(bridge.lingerMs(INIT)).toBe(60_000 + 5_000 + 4_000 + 2_000);
  const options = { shutdown_grace_ms: 30_000 };
  expect(bridge.lingerMs({ ...INIT, options })).toBe(60_000 + 5_000 + 60_000 + 2_000);
});

/** Sessions with their Claudes on one place. */
async function begun(places: PlaceBridges, count: number, options = {}) {
  const sessions = await Promise.all(Array.from({ length: count }, () => open(places)));
  for (const { bridge } of sessions) await bridge.request({ ...INIT, options });
  const claudes = await Promise.all(sessions.map(({ claude }) => claude));
  return { bridges: sessions.map(({ bridge }) => bridge), claudes };
}

describe("a connection that sessions share", () => {
  test("and that stands still is given up, and each of them learns it", async () => {
    const { bridges } = await begun(bridgesOf(HERE, 3), 2);
    const pids = new Set(bridges.map(({ pid }) => pid));
    expect(pids.size).toBe(1);
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const ends = await Promise.all(bridges.map(({ ended }) => ended));
    expect(ends).toEqual([lost("nothing comes from it"), lost("nothing comes from it")]);
  });

  test("goes on without one whose Claude does not end in time", async () => {
    const grace = { shutdown_grace_ms: 60_000 };
    const { bridges, claudes } = await begun(bridgesOf(HERE), 2, grace);
    const [claude = 0] = claudes;
    process.kill(claude, "SIGSTOP");
    expect(await bridges[0]?.close()).toEqual(lost("it did not end in time"));
    expect(bridges[1] && (await isPlanning(bridges[1]))).toBe(true);
    process.kill(claude, "SIGKILL");
  }, 60_000);

  test("goes on without one that gives up its start", async () => {
    const gate = join(mkdtempSync(join(tmpdir(), "place-")), "gate");
    const wait = `while [ ! -e ${gate} ]; do sleep 0.01; done; shift`;
    const places = bridgesOf(HERE.map((word) => word.replace("shift", wait)));
    const giveUp = new AbortController();
    const refusal = places.start(giveUp.signal).catch(String);
    const other = open(places);
    giveUp.abort();
    expect(await refusal).toContain("cannot reach box: it does not answer");
    writeFileSync(gate, "");
    const { bridge } = await other;
    await bridge.request(INIT);
    expect(await isPlanning(bridge)).toBe(true);
  });
});

describe("a place is refused", () => {
  const rows: readonly (readonly [why: string, command: readonly string[], reason: string])[] = [
    ["does not exist", ["/nowhere/ssh"], "cannot start /nowhere/ssh: "],
    ["says why and ends", ["sh", "-c", "echo no route to it >&2; exit 255"], "no route to it"],
    [
      "starts a bridge that is too old",
      ["sh", "-c", "printf 'Unknown option\\n\\nusage: long\\n' >&2; exit 2"],
      "Unknown option; usage: long",
    ],
    ["ends without a word", ["false"], "the connection was closed"],
    [
      "drops the flags",
      HERE.map((word) => word.replace(' "$@"', "")),
      "it answers without a channel: its command must pass on --multiplex",
    ],
    [
      "prints a greeting",
      ["sh", "-c", "echo Welcome; cat"],
      "not a message of tugtalk: not JSON: Welcome",
    ],
  ];
  test.each(rows)("whose command %s", async (_why, command, reason) => {
    const refusal = await bridgesOf(command)
      .start()
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 503, code: "place_unreachable" });
    expect(String(refusal)).toContain("cannot reach box: ");
    expect(String(refusal)).toContain(reason);
  });

  test("whose command ends at once, which is started no second time", async () => {
    const log = join(mkdtempSync(join(tmpdir(), "place-")), "starts");
    const places = bridgesOf(["sh", "-c", `echo started >>${log}`]);
    const refusals = await Promise.all([1, 2].map(() => places.start().catch(String)));
    expect(refusals.every((refusal) => String(refusal).includes("cannot reach box: "))).toBe(true);
    expect(readFileSync(log, "utf8")).toBe("started\n");
  });

  test("whose command never answers, when the start is given up", async () => {
    const giveUp = new AbortController();
    const refusal = bridgesOf(["sh", "-c", "exec sleep 100"]).start(giveUp.signal).catch(String);
    giveUp.abort();
    expect(await refusal).toContain("cannot reach box: it does not answer");
  });
});
