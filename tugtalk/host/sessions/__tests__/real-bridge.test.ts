/**
 * A session of a host process with its real bridge and the stand-in as its Claude: what Claude hears
 * after an end that nobody has asked for, and what was said before the session.
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
import { childrenOf, parentOf } from "../../../testing/drivers/process-tree.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(endHosts);

type Fields = Readonly<Record<string, unknown>>;

/** The texts that the Claudes of a session were given. */
function heardBy(session: TestHostSession): readonly string[] {
  return session.claudeInput
    .filter(({ type }) => type === "user")
    .map(({ message }) => JSON.stringify(message));
}

/** A session whose Claude writes a text without end, with a message that waits. */
async function held() {
  const session = await host.createSession({ conversation: HELD });
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
  let pid = session.claudes.at(-1)?.pid ?? 0;
  while (!childrenOf(host.pid).includes(pid)) pid = parentOf(pid) ?? 0;
  return pid;
}

const isDone = ({ status }: Fields) => status === "completed";

test("a Claude that is killed is started again for the message that waits, and resumes the conversation", async () => {
  const { session, next } = await held();
  const [first] = session.claudes;
  const id = String((await session.run("session")).body["claude_session_id"]);
  process.kill(first?.pid ?? 0, "SIGKILL");
  await next("message_status", ({ status }) => status === "failed");
  await next("message_status", isDone);
  expect(session.claudes.map(({ args }) => args.includes(`--resume=${id}`))).toEqual([false, true]);
  const heard = heardBy(session);
  expect(heard.map((text) => /First|Second/.exec(text)?.[0])).toEqual(["First", "Second"]);
});

test("a bridge that is killed leaves no turn open, and another one resumes the conversation for what waits", async () => {
  const { session, next } = await held();
  const id = String((await session.run("session")).body["claude_session_id"]);
  process.kill(bridgeOf(session), "SIGKILL");
  await next("turn_cancelled", ({ reason }) => reason === "exited");
  await next("host-error", ({ code }) => code === "bridge_ended");
  await next("message_status", isDone);
  expect(session.claudes.map(({ args }) => args.includes(`--resume=${id}`))).toEqual([false, true]);
  const heard = heardBy(session);
  expect(heard.map((text) => /First|Second/.exec(text)?.[0])).toEqual(["First", "Second"]);
});

test("a steering message reaches Claude in the open turn, before what waits", async () => {
  const { session } = await held();
  const { status } = await session.message("Now", { delivery: "steer" });
  expect(status).toBe(200);
  await session.claudeHears((line) => JSON.stringify(line).includes("Now"));
  expect(heardBy(session).some((text) => text.includes("Second"))).toBe(false);
  const { body } = await session.run("interrupt");
  // Claude had not begun it, and has given it back.
  expect(body["queued"]).toEqual(["Now", "Second"]);
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
