/** The routes about folders, their files and Claude's own history, with a running host. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endHosts, startHost } from "../../../testing/drivers/host-process.ts";
import {
  answered,
  openPastSessions,
  said,
  sessionId,
} from "../../../testing/drivers/past-sessions.ts";

const CONVERSATION = sessionId(1);
const LINES = [said("a", null, "What is left to do?"), answered("b", "a", "The tests.")];

const past = openPastSessions();
past.write(CONVERSATION, LINES);
const host = await startHost({ env: { CLAUDE_CONFIG_DIR: past.configDir } });
afterAll(async () => {
  await endHosts();
  past.remove();
});

test("the past conversations of a folder are listed, and nothing is started for it", async () => {
  const sessions = [{ session_id: CONVERSATION, title: "What is left to do?" }];
  const listed = await host.run("history", { dir: past.project });
  expect(listed).toMatchObject({ status: 200, body: { sessions } });
  expect((await host.run("sessions")).body).toEqual({ sessions: [] });
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

test("files are found in the folder of a session, and nothing outside of it", async () => {
  const session = await host.createSession();
  mkdirSync(join(session.dir, "src"));
  writeFileSync(join(session.dir, "src/window.ts"), "");
  const files = [{ path: "src/window.ts", kind: "file" }];
  expect(await session.run("files", { q: "win" })).toMatchObject({ status: 200, body: { files } });
  expect((await session.run("files", { q: "src/../../" })).body).toEqual({ files: [] });
});

test("the files of a session elsewhere are not listed", async () => {
  const session = await host.createSession({ place: "simulator" });
  expect(await session.run("files")).toMatchObject({
    status: 501,
    body: { code: "unsupported_on_place" },
  });
});

test("an export is sent with the type of its format", async () => {
  const session = await host.createSession();
  const typeOf = async (format: string) =>
    (await session.run("export", { format })).headers.get("content-type");
  expect(await typeOf("md")).toBe("text/markdown; charset=utf-8");
  expect(await typeOf("json")).toStartWith("application/json");
});

test("the folders of a folder are listed with those that were used last", async () => {
  mkdirSync(join(host.projectDir, "inner"));
  const { body } = await host.run("dirs");
  expect(body).toMatchObject({
    path: host.projectDir,
    parent: host.root,
    in_repository: false,
    dirs: [{ name: "inner", path: join(host.projectDir, "inner") }],
  });
  const session = await host.createSession();
  const { recent } = (await host.run("dirs", { path: host.root })).body;
  expect(recent).toContain(session.dir);
  expect((await host.run("dirs", { path: "relative" })).status).toBe(400);
});
