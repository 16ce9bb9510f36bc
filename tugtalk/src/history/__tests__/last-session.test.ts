/** The file with the id of the last conversation of a project folder: its content, its place and its readers. */
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBridge, type TestBridge } from "../../../testing/drivers/bridge-process.ts";
import { initLine } from "../../../testing/drivers/test-lines.ts";
import { startSession } from "../../../testing/drivers/test-session.ts";
import { observe } from "../../../testing/observer/observer.ts";
import { openPastConversations } from "../past-conversations.ts";
import { defaultStateFolder } from "../state-folder.ts";

const ONE = "11111111-2222-4333-8444-000000000001";
const OTHER = "11111111-2222-4333-8444-000000000002";

const root = mkdtempSync(join(tmpdir(), "last-session-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A project folder and a state folder that does not exist yet. */
function makeFolders() {
  const project = mkdtempSync(join(root, "project-"));
  const state = join(mkdtempSync(join(root, "home-")), "deep", "state");
  const faults: string[] = [];
  const open = (directory = project) =>
    openPastConversations(directory, state, (message) => faults.push(message)).lastSession;
  const files = () => readdirSync(join(state, "last")).map((name) => join(state, "last", name));
  return { project, state, faults, open, files };
}

/** Folders in which these ids were the last ones, in order. */
async function kept(...ids: readonly string[]) {
  const folders = makeFolders();
  const last = folders.open();
  for (const id of ids) last.keep(id);
  await last.settled();
  return { ...folders, last };
}

test("the id of the last session is read by the next bridge as it was written last", async () => {
  const { open, faults } = await kept(ONE, OTHER);
  expect(await open().read()).toBe(OTHER);
  expect(faults).toEqual([]);
});

test("the id of the last session is in one file that only its owner can read, and no temporary file is left", async () => {
  const { files } = await kept(ONE, OTHER);
  const [file = "", ...others] = files();
  expect(others).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
  expect(statSync(file).size).toBeLessThan(1000);
});

test("the id of the last session is not read for another folder", async () => {
  const { open, project } = await kept(ONE);
  const below = join(project, "below");
  mkdirSync(below);
  expect(await open(below).read()).toBeUndefined();
});

test("the id of the last session is read through a link to the same folder", async () => {
  const { open, project } = await kept(ONE);
  const link = join(root, "link");
  symlinkSync(project, link);
  expect(await open(link).read()).toBe(ONE);
});

test("the id of the last session is not written to the project folder", async () => {
  const { project } = await kept(ONE);
  expect(readdirSync(project)).toEqual([]);
});

test("the stored session id is undefined when none was written", async () => {
  expect(await makeFolders().open().read()).toBeUndefined();
});

test.each([
  ["half a file", (text: string) => text.slice(0, 20)],
  ["an empty file", () => ""],
  ["another shape", () => "[]"],
  ["an id that is a path", (text: string) => text.replace(ONE, "../../etc/passwd")],
  ["another folder's entry", (text: string) => text.replace("project-", "project+")],
])("the stored session id is undefined when its file is %s", async (_name, broken) => {
  const { open, files } = await kept(ONE);
  const [file = ""] = files();
  writeFileSync(file, broken(readFileSync(file, "utf8")));
  expect(await open().read()).toBeUndefined();
});

test("a write that fails is reported, and the next id is written", async () => {
  const { open, state, faults } = makeFolders();
  mkdirSync(join(state, ".."), { recursive: true });
  writeFileSync(state, "a file where the folder should be");
  const last = open();
  last.keep(ONE);
  await last.settled();
  expect(faults).toEqual([expect.stringContaining("cannot keep the id of the session")]);
  rmSync(state);
  last.keep(OTHER);
  await last.settled();
  expect(await open().read()).toBe(OTHER);
});

test("the next write makes the file private again after its mode was changed", async () => {
  const { last, files } = await kept(ONE);
  const [file = ""] = files();
  chmodSync(file, 0o644);
  last.keep(OTHER);
  await last.settled();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([
  [{ XDG_STATE_HOME: "/state" }, "/state/tugtalk"],
  [{ XDG_STATE_HOME: "relative" }, join(process.env["HOME"] ?? "", ".local/state/tugtalk")],
  [{}, join(process.env["HOME"] ?? "", ".local/state/tugtalk")],
])("with %j the files are below %s", (env, folder) => {
  expect(defaultStateFolder(env)).toBe(folder);
});

test("a session id is saved when the first turn has started, and again when the id changes", async () => {
  const session = await startSession();
  expect(session.storedIds).toEqual([]);
  session.message("hello");
  expect(session.storedIds).toEqual([]);
  await session.say(initLine({ session_id: ONE }), initLine({ session_id: ONE }));
  expect(session.storedIds).toEqual([ONE]);
  await session.say(initLine({ session_id: OTHER }));
  expect(session.storedIds).toEqual([ONE, OTHER]);
});

const bridges: TestBridge[] = [];
afterEach(() => {
  for (const bridge of bridges.splice(0)) bridge.kill();
});

function start(project: string, state: string): TestBridge {
  const bridge = startBridge({ args: [`--dir=${project}`, `--state-dir=${state}`] });
  bridges.push(bridge);
  return bridge;
}

async function end(bridge: TestBridge): Promise<void> {
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(observe({ ...bridge, isOver: true })).toEqual([]);
}

test("the handshake with resume and no id resumes the last conversation, and other modes do not", async () => {
  const { project, state } = makeFolders();
  const first = start(project, state);
  first.send({ type: "protocol_init", version: 2 });
  const { session_id } = await first.next("protocol_ack");
  first.send({ type: "user_message", text: "hello" });
  await first.next("turn_complete");
  await end(first);

  const second = start(project, state);
  second.send({ type: "protocol_init", version: 2, session: { mode: "resume" } });
  expect(await second.next("protocol_ack")).not.toHaveProperty("session_id");
  expect((await second.next("process_started"))["args"]).toContain(`--resume=${session_id}`);
  expect(await second.next("session_init")).toMatchObject({ session_id, mode: "resume" });
  await end(second);

  const third = start(project, state);
  third.send({ type: "protocol_init", version: 2 });
  expect((await third.next("session_init"))["session_id"]).not.toBe(session_id);
  await end(third);
});

test("the handshake with resume and no id fails and starts no process when no id was written", async () => {
  const { project, state } = makeFolders();
  const bridge = start(project, state);
  bridge.send({ type: "protocol_init", version: 2, session: { mode: "resume" } });
  expect(await bridge.next("error")).toMatchObject({
    code: "resume_failed",
    reason: "no_such_session",
    recoverable: true,
  });
  await end(bridge);
  expect(bridge.received.map(({ type }) => type)).toEqual(["protocol_ack", "error"]);
});
