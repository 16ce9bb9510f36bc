/** The routes about folders, their files and Claude's own history, with a running host. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endHosts, startHost, type TestHost } from "../../../testing/drivers/host-process.ts";
import {
  answered,
  openPastSessions,
  type PastSessions,
  said,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";

const CONVERSATION = sessionId(1);
const LINES = [said("a", null, "What is left to do?"), answered("b", "a", "The tests.")];

let host: TestHost;
let past: PastSessions;

beforeAll(async () => {
  past = openPastSessions();
  past.write(CONVERSATION, LINES);
  host = await startHost({ env: { CLAUDE_CONFIG_DIR: past.configDir } });
});
afterAll(async () => {
  await endHosts();
  past.remove();
});

test("the past conversations of a folder are listed, and nothing is started for it", async () => {
  const { status, body } = await host.run("history", { dir: past.project });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { sessions: [{ session_id: CONVERSATION, title: "What is left to do?" }] },
  });
  expect((await host.run("sessions")).body).toEqual({ sessions: [] });
});

test("the past conversations of a folder that does not exist are refused", async () => {
  const { status, body } = await host.run("history", { dir: join(host.root, "nothing") });
  expect({ status, body }).toMatchObject({ status: 400, body: { code: "no_history" } });
});

test("a past conversation is resumed once its folder is trusted, and at once only by force while it is written to", async () => {
  const create = (fields: object) =>
    host.run("create", { dir: past.project, resume: CONVERSATION, ...fields });
  const untrusted = await create({});
  expect(untrusted).toMatchObject({
    status: 409,
    body: { code: "untrusted_dir", dir: past.project, hooks: [], mcp_servers: [] },
  });
  expect(await create({ trust: true })).toMatchObject({ status: 409, body: { code: "in_use" } });
  const { status, body } = await create({ force: true });
  expect({ status, body }).toMatchObject({ status: 201, body: { place: "local" } });
  const id = String(body["id"]);
  const snapshot = JSON.stringify((await host.run("snapshot", { id })).body);
  expect(snapshot).toContain("The tests.");
  await host.run("delete", { id });
  const minutesAgo = Date.now() / 1000 - 120;
  utimesSync(join(past.folder, `${CONVERSATION}.jsonl`), minutesAgo, minutesAgo);
  expect((await create({})).status).toBe(201);
});

test("files are found in the folder of a session, and nothing that a link leads to outside of it", async () => {
  const session = await host.createSession();
  mkdirSync(join(session.dir, "src"));
  writeFileSync(join(session.dir, "src/window.ts"), "");
  writeFileSync(join(host.root, "window-secret"), "");
  symlinkSync(join(host.root, "window-secret"), join(session.dir, "window-link"));
  const { status, body } = await session.run("files", { q: "win" });
  expect({ status, body }).toEqual({
    status: 200,
    body: { files: [{ path: "src/window.ts", kind: "file" }] },
  });
  for (const q of ["../", "/etc/pass", "src/../../"])
    expect({ q, body: (await session.run("files", { q })).body }).toEqual({
      q,
      body: { files: [] },
    });
});

test("the files of a session elsewhere are not listed", async () => {
  const session = await host.createSession({ place: "simulator" });
  const { status, body } = await session.run("files", { q: "" });
  expect({ status, body }).toMatchObject({ status: 501, body: { code: "unsupported_on_place" } });
});

test("the folders of a folder are listed with those that were used last", async () => {
  mkdirSync(join(host.projectDir, "inner"));
  const { body } = await host.run("dirs");
  expect(body).toMatchObject({
    path: host.projectDir,
    parent: host.root,
    dirs: [{ name: "inner", path: join(host.projectDir, "inner") }],
  });
  const session = await host.createSession();
  const { recent } = (await host.run("dirs", { path: host.root })).body;
  expect(recent).toContain(session.dir);
  expect((await host.run("dirs", { path: "relative" })).status).toBe(400);
});

test("a transcript is exported as Markdown and as JSON, and in no other format", async () => {
  const session = await host.createSession({ title: "Exported" });
  const events = await session.events();
  await session.message("export me");
  await events.next("turn_complete");
  events.close();
  const markdown = await session.run("export");
  expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(markdown.body["text"]).toContain("You said: export me");
  const json = await session.run("export", { format: "json" });
  expect(json.headers.get("content-type")).toStartWith("application/json");
  expect(json.body).toMatchObject({ version: 1, session: { title: "Exported" } });
  expect((await session.run("export", { format: "pdf" })).status).toBe(400);
});
