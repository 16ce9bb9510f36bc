/** A host that does not read, Claudes and hosts that say too much: bounded, and nothing is lost. */
import { afterEach, expect, test } from "bun:test";
import { startBridge } from "../testing/drivers/bridge-process.ts";
import { initialize, openStdinLog } from "../testing/drivers/bridge-states.ts";
import { claudeThat } from "../testing/drivers/claudes.ts";
import {
  areStill,
  residentMegabytes,
  type SilentHost,
  startSilently,
} from "../testing/drivers/silent-host.ts";
import { observe } from "../testing/observer/observer.ts";

const DELTAS = 20_000;
const BYTES = 1024;
const FLOOD = { TUGTALK_SIM_FLOOD: `${DELTAS}x${BYTES}` };

/** By how much the bridge may grow while its host reads nothing and Claude talks, in MB: its code that runs first, too. */
const SILENT_GROWTH_MB = 20;
/** How many deltas are on their way meanwhile, in all pipes and processes: 2 MB. */
const SILENT_INTAKE = 2048;
/** By how much it may grow while its host talks and does not read, in MB: there are 8 MB of answers. */
const INPUT_GROWTH_MB = 64;

let host: SilentHost | undefined;
afterEach(() => host?.kill());

test("a host that reads again gets every message", async () => {
  host = await startSilently(FLOOD);
  expect(await growthInFlood(host)).toBeLessThan(SILENT_GROWTH_MB);
  expect((await host.readUntil(({ type }) => type === "turn_complete"))["result"]).toBe("success");
  const deltas = host.received.filter(({ status }) => status === "partial");
  expect(deltas).toHaveLength(DELTAS);
  const complete = host.received.find(
    ({ type, status }) => type === "assistant_text" && status === "complete",
  );
  expect(complete?.["text"] === "x".repeat(DELTAS * BYTES)).toBe(true);
  await endCleanly(host);
}, 60_000);

test("messages from a host that does not read are handled", async () => {
  const log = openStdinLog();
  host = await startSilently({ ...FLOOD, ...log.env });
  await growthInFlood(host);
  host.send({ type: "interrupt", id: "stop" });
  while (log.lines().length < 3) await Bun.sleep(5);
  expect(log.lines().at(-1)).toMatchObject({ request: { subtype: "interrupt" } });
  expect((await host.readUntil(({ type }) => type === "control_result"))["ok"]).toBe(true);
  const end = await host.readUntil(({ type }) => type === "turn_complete");
  expect(end["result"]).toBe("cancelled");
  expect(host.received.length).toBeLessThan(SILENT_INTAKE);
  await endCleanly(host);
}, 60_000);

test("a host that exits without reading leaves no Claude process", async () => {
  host = await startSilently(FLOOD);
  await growthInFlood(host);
  host.closeInput();
  expect(await host.readToEnd()).toBe(0);
  expect(observe({ received: host.received, isOver: true })).toEqual([]);
}, 60_000);

test("unread answers and logs are bounded, and no answer is lost", async () => {
  const lines = 100_000;
  host = await startSilently();
  host.send({ type: "protocol_init", version: 2 });
  await host.readUntil(({ state }) => state === "idle");
  const idle = residentMegabytes(host.pid);
  // Each answer repeats the id: 100 MB of them.
  host.sendRaw(`{"type":"nonsense","id":"${"x".repeat(1024)}"}\n`.repeat(lines));
  await areStill(host.pid);
  expect(residentMegabytes(host.pid) - idle).toBeLessThan(INPUT_GROWTH_MB);
  host.send({ type: "user_message", text: "still there?" });
  await host.readUntil(({ type }) => type === "turn_complete");
  expect(host.received.filter(({ type }) => type === "error")).toHaveLength(lines);
  host.closeInput();
  expect(await host.readToEnd()).toBe(0);
  expect(host.received.findIndex(({ seq }, index) => seq !== index + 1)).toBe(-1);
}, 60_000);

test("requests to a Claude that does not read are refused beyond a limit", async () => {
  const bridge = startBridge({ claude: claudeThat("ignores-everything") });
  bridge.send({ type: "protocol_init", version: 2, options: { shutdown_grace_ms: 100 } });
  await bridge.next("process_started");
  const question = "x".repeat(2 ** 23);
  for (let at = 0; at < 12; at += 1)
    bridge.send({ type: "control", subtype: "side_question", question, id: `ask ${at}` });
  expect(await bridge.next("error")).toMatchObject({
    code: "control_rejected",
    in_reply_to: "ask 8",
  });
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
}, 60_000);

test("a line of 20 MB from Claude arrives whole", async () => {
  const bridge = startBridge({ env: { TUGTALK_SIM_FLOOD: "20x1048576" } });
  await initialize(bridge);
  bridge.send({ type: "user_message", text: "go" });
  const { text } = await bridge.next(
    ({ type, status }) => type === "assistant_text" && status === "complete",
  );
  expect(text === "x".repeat(20 * 1024 * 1024)).toBe(true);
  expect((await bridge.next("turn_complete"))["text"] === text).toBe(true);
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
}, 60_000);

/** Has Claude talk while the host reads nothing, until all stand still; gives MB. */
async function growthInFlood(to: SilentHost): Promise<number> {
  to.send({ type: "protocol_init", version: 2 });
  const { pid } = await to.readUntil(({ type }) => type === "process_started");
  await to.readUntil(({ state }) => state === "idle");
  const idle = residentMegabytes(to.pid);
  to.send({ type: "user_message", text: "go" });
  await to.readUntil(({ status }) => status === "partial");
  await areStill(to.pid, Number(pid));
  return residentMegabytes(to.pid) - idle;
}

async function endCleanly(over: SilentHost): Promise<void> {
  over.closeInput();
  expect(await over.readToEnd()).toBe(0);
  expect(observe({ received: over.received, isOver: true })).toEqual([]);
}
