/**
 * A session of a host process with its real bridge, and with the stand-in as its Claude. The tests look at
 * the messages to Claude after an unexpected end, and at the turns from before the session.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { folderNamesOf } from "../../../src/history/transcript-folder.ts";
import { HELD } from "../../../testing/drivers/bridge-states.ts";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../../testing/drivers/host-process.ts";
import { openPastSessions } from "../../../testing/drivers/past-sessions.ts";
import { childrenOf, parentOf } from "../../../testing/drivers/processes.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(endHosts);

type Fields = Readonly<Record<string, unknown>>;

/** A session whose Claude writes a text without end, with a message that waits. */
async function held(on = host) {
  const session = await on.createSession({ conversation: HELD });
  const events = await session.events();
  await session.message("First");
  await events.next(({ type, data }) => type === "assistant_text" && data["status"] === "partial");
  session.play([]);
  await session.message("Second");
  const next = (type: string, fits: (data: Fields) => boolean = () => true) =>
    events.next((event) => event.type === type && fits(event.data));
  return { session, next };
}

/** The bridge is the parent of Claude, or of the driver that checks it. */
function bridgeOf(session: TestHostSession): number {
  const bridges = childrenOf(session.host.pid);
  for (let pid = session.claudes.at(-1)?.pid; pid !== undefined; pid = parentOf(pid))
    if (bridges.includes(pid)) return pid;
  throw new Error("Claude does not run");
}

async function isIn(session: TestHostSession, state: string): Promise<boolean> {
  return (await session.run("session")).body["state"] === state;
}

const isDone = ({ status }: Fields) => status === "completed";

test("a bridge that is killed ends every session that shares it, and each reports it and goes on", async () => {
  const shared = await startHost();
  const [one, other] = [await held(shared), await held(shared)];
  const idle = await shared.createSession();
  const events = await idle.events();
  await events.next("session_init");
  const bridge = bridgeOf(one.session);
  expect([bridgeOf(other.session), bridgeOf(idle)]).toEqual([bridge, bridge]);
  process.kill(bridge, "SIGKILL");
  for (const { next } of [one, other]) {
    await next("turn_cancelled", ({ reason }) => reason === "exited");
    await next("host_error", ({ code }) => code === "bridge_ended");
    await next("message_status", isDone);
  }
  await events.next("host_error");
  expect(await isIn(idle, "exited")).toBe(true);
  expect((await idle.message("Third")).status).toBe(200);
  await events.next("turn_complete");
  expect(idle.claudes).toHaveLength(2);
  expect(childrenOf(shared.pid)).toEqual([bridgeOf(idle)]);
  await shared.kill();
});

test("a bridge ends with the last session that shares it, and the next one has another", async () => {
  const shared = await startHost();
  const [one, other] = [await shared.createSession(), await shared.createSession()];
  const [bridge = 0] = childrenOf(shared.pid);
  await one.run("delete", { keep: 1 });
  expect(childrenOf(shared.pid)).toEqual([bridge]);
  await other.run("delete");
  expect(childrenOf(shared.pid)).toEqual([]);
  expect((await one.message("again")).status).toBe(200);
  expect(childrenOf(shared.pid)).toHaveLength(1);
  expect(childrenOf(shared.pid)).not.toContain(bridge);
  await shared.kill();
});

test("with --isolate a bridge that is killed ends its own session only", async () => {
  const isolated = await startHost({ args: ["--isolate"] });
  const [one, other] = [await held(isolated), await held(isolated)];
  const bridges = [bridgeOf(one.session), bridgeOf(other.session)];
  expect(new Set(bridges).size).toBe(2);
  process.kill(bridges[0] ?? 0, "SIGKILL");
  await one.next("host_error", ({ code }) => code === "bridge_ended");
  await one.next("message_status", isDone);
  expect(await isIn(other.session, "running")).toBe(true);
  expect(other.session.claudes).toHaveLength(1);
  expect((await other.session.run("interrupt")).body["queued"]).toEqual(["Second"]);
  await other.next("turn_complete");
  await isolated.kill();
});

test("a conversation that Claude had before is resumed by its id, with its turns in front", async () => {
  const past = openPastSessions();
  const id = past.place("2.1.330/sub_tools");
  const dir = host.newFolder();
  const folder = join(host.home, ".claude", "projects", folderNamesOf(dir).usual);
  mkdirSync(folder, { recursive: true });
  cpSync(past.folder, folder, { recursive: true });
  past.remove();
  const wanted = { dir, trust: true, resume: id };
  expect(await host.run("create", wanted)).toMatchObject({
    status: 409,
    body: { code: "in_use" },
  });
  const { body } = await host.run("create", { ...wanted, force: true });
  const { body: snapshot } = await host.run("snapshot", { id: String(body["id"]) });
  const { entries } = snapshot["state"] as { readonly entries: readonly Fields[] };
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.every(({ key }) => String(key).startsWith("history:"))).toBe(true);
  expect(body["claude_session_id"]).toBe(id);
});

test.each([
  ["subtype", { subtype: "fly" }],
  ["enabled", { subtype: "mcp_toggle", serverName: "s", enabled: 7 }],
])(
  "a request whose %s the bridge refuses is answered with the name of the field",
  async (field, fields) => {
    const session = await host.createSession();
    expect(await session.run("control", fields)).toMatchObject({
      status: 400,
      body: { code: "bad_request", field, error: expect.stringContaining(`${field}: `) },
    });
  },
);
