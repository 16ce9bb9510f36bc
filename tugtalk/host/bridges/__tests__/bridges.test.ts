/**
 * Bridges that the host starts on this machine: shared by sessions or separate, and for past conversations.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_LINE_BYTES } from "../../../src/base/lines.ts";
import type { OutboundMessage } from "../../../src/types.ts";
import { CHECKED_BRIDGE } from "../../../testing/drivers/bridge-process.ts";
import { claudeThat, isGone, STAND_IN } from "../../../testing/drivers/claudes.ts";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { openPastSessions } from "../../../testing/drivers/past-sessions.ts";
import { isRunning } from "../../../testing/drivers/processes.ts";
import type { Bridge, BridgeStarter } from "../bridge.ts";
import { openBridges } from "../bridges.ts";
import { LineGate } from "../line-gate.ts";
import { listPastSessions } from "../past-sessions.ts";

const dir = mkdtempSync(join(tmpdir(), "tugtalk-bridges-"));
const past = openPastSessions();
const replaced = { TUGTALK_BRIDGE: CHECKED_BRIDGE, CLAUDE_CONFIG_DIR: past.configDir };
const before = new Map(Object.keys(replaced).map((name) => [name, process.env[name]]));
beforeAll(() => {
  Object.assign(process.env, replaced);
});
afterAll(() => {
  for (const [name, value] of before)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  past.remove();
  rmSync(dir, { recursive: true });
});

const opened: Bridge[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(closed));
});

/** The bridges of a host. */
function starter({ isIsolated = false, claude = STAND_IN } = {}): BridgeStarter {
  return openBridges({
    claude,
    stateDir: join(dir, "state"),
    places: [],
    isIsolated,
    gate: new LineGate(),
  });
}

async function open(start: BridgeStarter, place = "local"): Promise<Bridge> {
  const bridge = await start(place);
  opened.push(bridge);
  return bridge;
}

/** Ends a bridge, and reads it to its end. */
async function closed(bridge: Bridge): Promise<readonly OutboundMessage[]> {
  const [messages] = await Promise.all([Array.fromAsync(bridge.messages), bridge.close()]);
  return messages;
}

/** Kills a bridge, and reads it to its end. */
async function killed({ pid, messages, ended }: Bridge) {
  process.kill(pid, "SIGKILL");
  await Array.fromAsync(messages);
  return await ended;
}

const KILLED = { isConfirmed: true, reason: "the bridge was ended by SIGKILL" };

type Typed<Type extends OutboundMessage["type"]> = Extract<OutboundMessage, { type: Type }>;

async function next<Type extends OutboundMessage["type"]>(
  { messages }: Bridge,
  type: Type,
): Promise<Typed<Type>> {
  // The loop is left here, so that the next one can continue.
  for await (const message of messages) if (message.type === type) return message as Typed<Type>;
  throw new Error(`the bridge ended before ${type}`);
}

/** Starts Claude in a folder of its own. Gives its process. */
async function begin(bridge: Bridge, name: string): Promise<number> {
  const folder = join(dir, name);
  mkdirSync(folder, { recursive: true });
  await bridge.request({ type: "protocol_init", version: 2, dir: folder });
  return (await next(bridge, "process_started")).pid;
}

async function chat(bridge: Bridge, text: string) {
  bridge.send({ type: "user_message", text });
  const { cwd } = await next(bridge, "system_metadata");
  return { cwd, text: (await next(bridge, "turn_complete")).text };
}

test("sessions of this machine share a process, each in its own folder, and it ends with the last one", async () => {
  const start = starter();
  const [a, b] = await Promise.all([open(start), open(start)]);
  expect(a.pid).toBe(b.pid);
  await Promise.all([begin(a, "a"), begin(b, "b")]);
  expect(await Promise.all([chat(a, "one"), chat(b, "two")])).toEqual([
    { cwd: join(dir, "a"), text: "You said: one" },
    { cwd: join(dir, "b"), text: "You said: two" },
  ]);
  const messages = await closed(a);
  expect(messages.at(-1)).toMatchObject({ type: "session_state", state: "exited" });
  expect(await a.ended).toEqual({ isConfirmed: true });
  expect(await chat(b, "three")).toMatchObject({ text: "You said: three" });
  await closed(b);
  expect(isRunning(b.pid)).toBe(false);
  const c = await open(start);
  expect(c.pid).not.toBe(a.pid);
});

test("the kill of a shared process is reported to each of its sessions, whose Claudes are gone, and another one is started", async () => {
  const start = starter();
  const [a, b] = await Promise.all([open(start), open(start)]);
  const claudes = await Promise.all([begin(a, "a"), begin(b, "b")]);
  process.kill(a.pid, "SIGSTOP");
  const unanswered = b.request({ type: "interrupt" }).catch((error: unknown) => error);
  expect(await Promise.all([a, b].map(killed))).toEqual([KILLED, KILLED]);
  await Promise.all(claudes.map(isGone));
  expect(await unanswered).toMatchObject({ name: "EndedError" });
  const again = await open(start);
  await begin(again, "a");
  expect(await chat(again, "again")).toMatchObject({ text: "You said: again" });
});

test("a Claude that cannot be started ends its session, and no other one of the process", async () => {
  const start = starter();
  const [a, b] = await Promise.all([open(start), open(start)]);
  await begin(a, "a");
  await b.request({ type: "protocol_init", version: 2, dir: join(dir, "missing") });
  const messages = await Array.fromAsync(b.messages);
  expect(messages.find(({ type }) => type === "error")).toMatchObject({ recoverable: false });
  expect(await b.ended).toMatchObject({ isConfirmed: true });
  const late = b.request({ type: "user_message", text: "late" }).catch((error: unknown) => error);
  expect(await late).toMatchObject({ name: "EndedError" });
  expect(await chat(a, "still")).toMatchObject({ text: "You said: still" });
});

test("more sessions than a process has channels get a further one, and the next goes where the fewest are", async () => {
  const start = starter();
  const bridges = await Promise.all(Array.from({ length: 66 }, () => open(start)));
  const sizes = new Map<number, Bridge[]>();
  for (const bridge of bridges) sizes.set(bridge.pid, [...(sizes.get(bridge.pid) ?? []), bridge]);
  expect([...sizes.values()].map(({ length }) => length)).toEqual([64, 2]);
  const list = { type: "session_list", dir, limit: 1 } as const;
  // The bridge itself has room for all these requests.
  await Promise.all(bridges.map((bridge) => bridge.request(list)));
  const [full = [], further = []] = [...sizes.values()];
  await Promise.all(full.slice(0, 10).map(closed));
  expect((await open(start)).pid).toBe(further[0]?.pid ?? 0);
});

test("a session that is closed before it has said anything leaves no process", async () => {
  const bridge = await open(starter());
  expect(isRunning(bridge.pid)).toBe(true);
  await closed(bridge);
  expect(await bridge.ended).toEqual({ isConfirmed: true });
  expect(isRunning(bridge.pid)).toBe(false);
});

test("each session of the simulator begins its demonstration anew", async () => {
  const start = starter();
  const [a, b] = await Promise.all([open(start, "simulator"), open(start, "simulator")]);
  expect(a.pid).toBe(b.pid);
  await Promise.all([begin(a, "a"), begin(b, "b")]);
  const [one, other] = [await chat(a, "go"), await chat(b, "go")];
  expect(one.text).toBe(other.text);
  expect((await open(start)).pid).not.toBe(a.pid);
});

test("isolated sessions have a process each, and one that is killed takes its Claude and no other session with it", async () => {
  const start = starter({ isIsolated: true });
  const [a, b] = await Promise.all([open(start), open(start)]);
  expect(a.pid).not.toBe(b.pid);
  const [claude] = await Promise.all([begin(a, "a"), begin(b, "b")]);
  expect(await killed(a)).toEqual(KILLED);
  await isGone(claude);
  expect(await chat(b, "two")).toEqual({ cwd: join(dir, "b"), text: "You said: two" });
  await closed(b);
  expect(await b.ended).toEqual({ isConfirmed: true });
});

test("a Claude that goes on after its bridge was killed is ended, so that its end is confirmed", async () => {
  const bridge = await open(starter({ claude: claudeThat("ignores-everything") }));
  const claude = await begin(bridge, "a");
  expect(await killed(bridge)).toEqual(KILLED);
  expect(isRunning(claude)).toBe(false);
});

test("a request of a session that is too long for the shared bridge is rejected at once", async () => {
  const bridge = await open(starter());
  await bridge.request({ type: "protocol_init", version: 2, dir });
  const text = "x".repeat(MAX_LINE_BYTES);
  const error = await failureOf(bridge.request({ type: "user_message", text }));
  expect(error).toMatchObject({ code: "line_too_long" });
  const receipt = await bridge.request({ type: "user_message", text: "short" });
  expect(receipt.status).toBe("queued");
});

test("an unknown place is refused with its name", async () => {
  expect(await failureOf(starter()("nowhere"))).toMatchObject({
    status: 404,
    code: "unknown_place",
    message: "there is no place nowhere",
  });
});

test("past conversations of a folder that is missing are refused with its name", async () => {
  const where = { place: "local", dir: join(dir, "missing") };
  const refusal = await failureOf(listPastSessions(starter(), where));
  expect(refusal).toMatchObject({ status: 400, code: "no_history" });
  expect(String(refusal)).toContain(where.dir);
});
