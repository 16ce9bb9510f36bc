/** How the bridge ends: by its input, by a message and by signals, from every state. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "../src/base/processes.ts";
import { startBridge, type TestBridge, UNDER_TEST } from "../testing/drivers/bridge-process.ts";
import { type BridgeState, bringTo, STATES } from "../testing/drivers/bridge-states.ts";
import { claudeThat, isGone, STAND_IN } from "../testing/drivers/claudes.ts";
import { parseEmittedText } from "../testing/drivers/emitted-lines.ts";
import { folder } from "../testing/drivers/written-conversation.ts";
import { observe } from "../testing/observer/observer.ts";

type Way = {
  readonly way: string;
  readonly end: (bridge: TestBridge) => void;
};

const WAYS: readonly Way[] = [
  { way: "the end of input", end: (bridge) => bridge.closeInput() },
  { way: "SIGTERM", end: (bridge) => bridge.kill("SIGTERM") },
  { way: "SIGINT", end: (bridge) => bridge.kill("SIGINT") },
  { way: "SIGHUP", end: (bridge) => bridge.kill("SIGHUP") },
  { way: "SIGQUIT", end: (bridge) => bridge.kill("SIGQUIT") },
  { way: "shutdown", end: (bridge) => bridge.send({ type: "shutdown" }) },
];

/** How the turn ends, and how the messages do, in the order in which they were sent. */
const ENDS: Readonly<Record<BridgeState, readonly string[]>> = {
  "before init": [],
  idle: [],
  streaming: ["turn_complete cancelled", "completed"],
  "prompt open": ["turn_complete cancelled", "completed"],
  "messages queued": ["cancelled", "cancelled", "turn_complete cancelled", "completed"],
};

/** One way is tried in every state, the others in one; the faults' ring has the end of input in all of them. */
const CASES = STATES.flatMap((state) =>
  WAYS.filter(({ way }) => state === "streaming" || way === "SIGTERM").map((way) => ({
    state,
    ...way,
  })),
);

test.each(CASES)("in the state $state $way ends everything", async ({ state, end }) => {
  const bridge = await bringTo(state);
  if (state === "before init") await answered(bridge);
  end(bridge);
  await expectOver(bridge, state);
  expect(endsOf(bridge)).toEqual([...ENDS[state]]);
  // Claude ended by itself, since its input did: no signal was needed.
  expect(bridge.received.filter(({ signal }) => typeof signal === "string")).toEqual([]);
});

/** Resolves when the bridge answers: its signal handlers are in place then. */
async function answered(bridge: TestBridge): Promise<void> {
  bridge.send({ type: "interrupt" });
  await bridge.next("error");
}

/** After any end of the bridge, no process is left, and no turn or prompt of the host is open. */
async function expectOver(bridge: TestBridge, state: BridgeState): Promise<void> {
  expect(await bridge.exited).toBe(0);
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
  const started = bridge.received.filter(({ type }) => type === "process_started");
  expect(started).toHaveLength(state === "before init" ? 0 : 1);
  for (const { pid } of started) expect(isRunning(Number(pid))).toBe(false);
  const exits = bridge.received.filter(({ type }) => type === "process_exit");
  expect(exits).toMatchObject(started.map(({ pid }) => ({ pid, expected: true })));
}

const FINAL = ["completed", "cancelled", "rejected", "failed"];

function endsOf(bridge: TestBridge): unknown[] {
  return bridge.received.flatMap(({ type, status, result }) => {
    if (type === "turn_complete" || type === "turn_cancelled") return [`${type} ${result}`];
    return type === "message_status" && FINAL.includes(String(status)) ? [status] : [];
  });
}

test("the end of input right after the first message ends a starting Claude", async () => {
  const bridge = startBridge();
  bridge.send({ type: "protocol_init", version: 2 });
  bridge.send({ type: "user_message", text: "too late" });
  bridge.closeInput();
  await expectOver(bridge, "idle");
  expect(endsOf(bridge)).toEqual(["cancelled"]);
});

test("several shutdown requests at once end everything once", async () => {
  const bridge = await bringTo("streaming");
  bridge.send({ type: "shutdown" });
  bridge.send({ type: "shutdown", drain: true });
  bridge.kill("SIGTERM");
  bridge.closeInput();
  bridge.kill("SIGINT");
  await expectOver(bridge, "streaming");
});

test("a Claude that ignores everything but SIGKILL is killed after two grace periods", async () => {
  const bridge = startBridge({ claude: claudeThat("ignores-everything") });
  bridge.send({ type: "protocol_init", version: 2, options: { shutdown_grace_ms: 100 } });
  const { pid } = await bridge.next("process_started");
  const start = performance.now();
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(performance.now() - start).toBeGreaterThan(200);
  expect(isRunning(Number(pid))).toBe(false);
  expect(bridge.received.find(({ type }) => type === "process_exit")).toMatchObject({
    signal: "SIGKILL",
    exit_code: null,
    expected: true,
    will_restart: false,
  });
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
});

test("a child of Claude that keeps the pipes open does not delay the end", async () => {
  const env = { TUGTALK_CHILD_PID: join(folder, "child.pid"), TUGTALK_STAND_IN: STAND_IN };
  const bridge = await bringTo("idle", { claude: claudeThat("leaves-a-child"), env });
  const child = Number(readFileSync(env.TUGTALK_CHILD_PID, "utf8"));
  try {
    bridge.closeInput();
    await expectOver(bridge, "idle");
    expect(isRunning(child)).toBe(true);
  } finally {
    process.kill(child, "SIGKILL");
  }
});

/** In small pieces, and in larger ones than a pipe holds. */
const FLOODS = ["20000x1024", "20x1048576"];

test.each(FLOODS)(
  "a host that stops reading at its end does not delay the end in a flood of %s",
  async (flood) => {
    const child = Bun.spawn([...UNDER_TEST, `--claude=${STAND_IN}`], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, TUGTALK_SIM_SPEED: "max", TUGTALK_SIM_FLOOD: flood },
    });
    const go = [
      { type: "protocol_init", version: 2 },
      { type: "user_message", text: "go" },
    ];
    child.stdin.write(go.map((message) => `${JSON.stringify(message)}\n`).join(""));
    void child.stdin.flush();
    const reader = child.stdout.getReader();
    let text = "";
    while (!text.includes('"partial"')) text += Buffer.from((await reader.read()).value ?? []);
    await reader.cancel();
    expect(parseEmittedText(text)[0]?.type).toBe("protocol_ack");
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stderr).text()).toBe("");
    await isGone(Number(/"pid":(\d+)/.exec(text)?.[1]));
  },
);

test("a Claude whose bridge is killed exits, since its input ends", async () => {
  const bridge = await bringTo("streaming");
  const pid = bridge.received.find(({ type }) => type === "process_started")?.["pid"];
  bridge.kill("SIGKILL");
  await bridge.exited;
  await isGone(Number(pid));
});
