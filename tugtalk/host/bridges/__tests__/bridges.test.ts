/** Bridges as the host starts them: on this machine, the simulator, and past conversations. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutboundMessage } from "../../../src/types.ts";
import { CHECKED_BRIDGE } from "../../../testing/drivers/bridge-process.ts";
import { claudeThat, isGone, STAND_IN } from "../../../testing/drivers/claudes.ts";
import { openPastSessions } from "../../../testing/drivers/past-sessions.ts";
import { isRunning } from "../../../testing/drivers/processes.ts";
import { ApiError } from "../../api/api-error.ts";
import type { Bridge } from "../bridge.ts";
import { openBridges } from "../bridges.ts";
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

function start(isIsolated = false, claude = STAND_IN) {
  return openBridges({ claude, stateDir: join(dir, "state"), places: [], isIsolated });
}

const opened: Bridge[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(closed));
});

async function open(place: string, isIsolated?: boolean): Promise<Bridge> {
  const bridge = await start(isIsolated)(place);
  opened.push(bridge);
  return bridge;
}

/** Ends a bridge, and reads it to its end. */
async function closed(bridge: Bridge): Promise<readonly OutboundMessage[]> {
  const [messages] = await Promise.all([Array.fromAsync(bridge.messages), bridge.close()]);
  return messages;
}

/** Kills a bridge once its Claude runs, and reads what it has said. Returns the process id of Claude. */
async function killWithClaude(bridge: Bridge): Promise<number> {
  let claude = 0;
  for await (const message of bridge.messages) {
    if (message.type !== "process_started") continue;
    claude = message.pid;
    process.kill(bridge.pid, "SIGKILL");
  }
  return claude;
}

const init = { type: "protocol_init", version: 2, dir } as const;

describe.each([
  ["shared", false],
  ["isolated", true],
])("%s", (_how, isIsolated) => {
  test("a local bridge works in the folder of protocol_init, and its end is confirmed", async () => {
    const bridge = await open("local", isIsolated);
    await bridge.request(init);
    bridge.send({ type: "user_message", text: "hello" });
    const types: string[] = [];
    for await (const message of bridge.messages) {
      types.push(message.type);
      if (message.type === "system_metadata") expect(message.cwd).toBe(dir);
      if (message.type === "turn_complete") void bridge.close();
    }
    expect(types).toContain("turn_complete");
    expect(await bridge.ended).toEqual({ isConfirmed: true });
  });

  test("the end of a local bridge that was killed is confirmed once its Claude is gone", async () => {
    const bridge = await open("local", isIsolated);
    await bridge.request(init);
    const claude = await killWithClaude(bridge);
    expect(await bridge.ended).toEqual({
      isConfirmed: true,
      reason: "the bridge was ended by SIGKILL",
    });
    await isGone(claude);
  });
});

test("a Claude that goes on after its bridge was killed is ended, so that its end is confirmed", async () => {
  const bridge = await start(false, claudeThat("ignores-everything"))("local");
  await bridge.request(init);
  const claude = await killWithClaude(bridge);
  expect(await bridge.ended).toMatchObject({ isConfirmed: true });
  expect(isRunning(claude)).toBe(false);
});

test("the simulator is a place of its own", async () => {
  const bridge = await open("simulator");
  const ack = await bridge.request({ type: "protocol_init", version: 2, dir });
  expect(ack.session_id).toBeString();
  const messages = await closed(bridge);
  expect(messages.map(({ type }) => type)).toContain("process_started");
});

test("an unknown place is refused with its name", async () => {
  const refusal = await start()("nowhere").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({
    status: 404,
    code: "unknown_place",
    message: "there is no place nowhere",
  });
});

test("past conversations of a folder are listed by a bridge that starts no Claude", async () => {
  const id = past.place("2.1.330/sub_tools");
  const where = { place: "local", dir: past.project };
  const list = await listPastSessions(start(), where, { limit: 5 });
  expect(list.sessions.map(({ session_id }) => session_id)).toEqual([id]);
});

test("past conversations of a folder that is missing are refused with its name", async () => {
  const where = { place: "local", dir: join(dir, "missing") };
  const refusal = await listPastSessions(start(), where).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 400, code: "no_history" });
  expect(String(refusal)).toContain(where.dir);
});
