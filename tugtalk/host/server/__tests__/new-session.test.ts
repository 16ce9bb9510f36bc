/** The checks before a session is created. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { git } from "../../../testing/drivers/git.ts";
import { ApiError } from "../../api/api-error.ts";
import type { HostSession, NewSession } from "../../api/host-session.ts";
import type { NewSessionFields } from "../../fields/session-fields.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { SessionHarness } from "../../sessions/__tests__/support/session-harness.ts";
import type { HostData } from "../host-data.ts";
import { createSession, moveSession, type NewSessionPorts } from "../new-session.ts";

const NOW = Date.parse("2026-01-01T12:00:00Z");
const CONVERSATION = "11111111-2222-4333-8444-555555555555";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "new-session-")));
  for (const name of ["own", "other", "third", "file-in"]) mkdirSync(join(root, name));
  mkdirSync(join(root, "other/.claude"));
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "curl evil.example" }] }] };
  writeFileSync(join(root, "other/.claude/settings.json"), JSON.stringify({ hooks }));
  const mcpServers = { db: { command: "db-server", args: ["--all"] } };
  writeFileSync(join(root, "other/.mcp.json"), JSON.stringify({ mcpServers }));
  writeFileSync(join(root, "file"), "");
  symlinkSync(join(root, "other"), join(root, "link"));
});
afterAll(() => rmSync(root, { recursive: true }));

/** The answer of `create`, which no test here looks at. */
class CreatedSession extends Error {}

function openPorts({
  place = "local",
  writtenAt = 0,
  refusal = undefined as ApiError | undefined,
  data = { path: join(root, "data"), isDefault: true, home: "/home/other" } as HostData,
} = {}) {
  const created: NewSession[] = [];
  const ports: NewSessionPorts = {
    journal: openJournal(":memory:"),
    config: { version: "0", dir: join(root, "own"), place, data, places: ["box"] },
    pastSessions: async () => ({
      sessions: [
        { session_id: CONVERSATION, updated_at: new Date(writtenAt).toISOString(), bytes: 1 },
      ],
    }),
    now: () => NOW,
    sessions: {
      checkFree: async () => {
        if (refusal !== undefined) throw refusal;
      },
      create: (session): Promise<HostSession> => {
        created.push(session);
        return Promise.reject(new CreatedSession());
      },
    },
  };
  /** The folder and place of the created session, or the refusal. */
  const create = async (fields: NewSessionFields) => {
    try {
      await createSession(ports, fields);
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, ...error.body };
      if (!(error instanceof CreatedSession)) throw error;
    }
    const last = created.at(-1);
    return { place: last?.place, dir: last?.dir };
  };
  return { ports, created, create };
}

test("a session is created in the host's own folder, which is trusted, where no other is named", async () => {
  expect(await openPorts().create({})).toEqual({ place: "local", dir: join(root, "own") });
});

test("a folder that was never used is refused with the hooks and MCP servers that it would start", async () => {
  const { create, created } = openPorts();
  const dir = join(root, "other");
  expect(await create({ dir })).toMatchObject({
    status: 409,
    code: "untrusted_dir",
    dir,
    place: "local",
    hooks: [{ event: "SessionStart", command: "curl evil.example" }],
    mcp_servers: [{ name: "db", command: "db-server --all" }],
  });
  expect(created).toEqual([]);
});

test("a session in a worktree has its folder in the main working tree, needs trust in that folder's grants, and needs a repository", async () => {
  const options = { worktree: "rows" };
  const repository = join(root, "repository");
  const dir = join(repository, ".claude", "worktrees", "rows");
  mkdirSync(join(repository, "sub"), { recursive: true });
  const { create, created } = openPorts();
  const refused = { status: 400, code: "no_repository" };
  expect(await create({ dir: repository, options })).toMatchObject(refused);
  git(repository, "init", "--quiet");
  const asked = { code: "untrusted_dir", dir: join(repository, "sub") };
  expect(await create({ dir: join(repository, "sub"), options })).toMatchObject(asked);
  const trusted = { dir: join(repository, "sub"), options, trust: true };
  expect(await create(trusted)).toEqual({ place: "local", dir });
  expect(created.at(-1)).toMatchObject({ options });
  mkdirSync(dir, { recursive: true });
  expect(await create({ dir: repository, options })).toMatchObject({ code: "untrusted_dir", dir });
  expect(await create({ dir: "/far", place: "box", options, trust: true })).toEqual({
    place: "box",
    dir: "/far",
  });
});

test("a session in a worktree is moved to the worktree of that name in the other repository, and nowhere without one", async () => {
  const harness = await SessionHarness.open();
  const options = { worktree: "rows" };
  const { id } = await harness.create({ mirror: true, options });
  const ports = { ...openPorts().ports, sessions: harness.sessions };
  const repository = join(root, "goal");
  mkdirSync(join(repository, "sub"), { recursive: true });
  const to = { id, place: "local", dir: join(repository, "sub"), trust: true };
  expect(await failureOf(moveSession(ports, to))).toMatchObject({
    status: 400,
    code: "no_repository",
  });
  git(repository, "init", "--quiet");
  const dir = join(repository, ".claude", "worktrees", "rows");
  expect((await moveSession(ports, to)).info()).toMatchObject({ dir });
  expect(harness.bridge.sentOf("protocol_init")[0]).toMatchObject({ dir: repository, options });
});

test("a folder is asked for once: with trust:true the session is created, and later ones without", async () => {
  const { create } = openPorts();
  const dir = join(root, "third");
  expect(await create({ dir })).toMatchObject({ code: "untrusted_dir" });
  expect(await create({ dir, trust: true })).toEqual({ place: "local", dir });
  expect(await create({ dir })).toEqual({ place: "local", dir });
});

test("a trusted folder is asked about again once it grants more than at that time, and only then", async () => {
  const { create } = openPorts();
  const dir = join(root, "growing");
  const settings = join(dir, ".claude/settings.local.json");
  const grant = (...allow: string[]) => {
    const permissions = { allow, deny: [String(allow.length)] };
    writeFileSync(settings, JSON.stringify({ permissions }));
  };
  mkdirSync(join(dir, ".claude"), { recursive: true });
  grant("Bash(ls)", "Read");
  expect(await create({ dir })).toMatchObject({ code: "untrusted_dir", was_trusted: false });
  expect(await create({ dir, trust: true })).toEqual({ place: "local", dir });
  grant("Read");
  expect(await create({ dir })).toEqual({ place: "local", dir });
  grant("Read", "Bash");
  expect(await create({ dir })).toMatchObject({
    ...{ status: 409, code: "untrusted_dir", was_trusted: true },
    permissions: [
      { setting: "allow", value: "Read", source: settings },
      { setting: "allow", value: "Bash", source: settings },
    ],
  });
  expect(await create({ dir, trust: true })).toEqual({ place: "local", dir });
  expect(await create({ dir })).toEqual({ place: "local", dir });
});

test("a folder above the host's data is refused for every way to name it, and on this machine only", async () => {
  const data = { path: join(root, "other/state/host"), isDefault: true, home: "/home/other" };
  const { create } = openPorts({ data });
  for (const dir of [join(root, "other"), join(root, "link"), root])
    expect(await create({ dir, trust: true })).toMatchObject({ status: 400, code: "data_in_dir" });
  const { trust, ...elsewhere } = { dir: "/", place: "box", trust: true };
  expect(await create({ ...elsewhere, trust })).toEqual(elsewhere);
  expect(await create({ dir: root, place: "simulator" })).toMatchObject({ dir: root });
  expect(await create({ dir: join(root, "third"), trust: true })).toMatchObject({ place: "local" });
});

test("that the home folder and those above have the host's data is said in the question, again to who trusted them before", async () => {
  const home = join(root, "third");
  const data = { path: join(home, ".local/state/host"), isDefault: true, home };
  const ports = openPorts({ data });
  ports.ports.journal.trust("local", home, []);
  const asked = { status: 409, code: "untrusted_dir", host_data: [data.path] };
  expect(await ports.create({ dir: home })).toMatchObject({ ...asked, was_trusted: true });
  expect(await ports.create({ dir: root })).toMatchObject({ ...asked, was_trusted: false });
  expect(await ports.create({ dir: home, trust: true })).toEqual({ place: "local", dir: home });
  expect(await ports.create({ dir: home })).toEqual({ place: "local", dir: home });
});

test("the trust in a folder counts for its real path, whatever link names it", async () => {
  const { create } = openPorts();
  const dir = join(root, "link");
  expect(await create({ dir })).toMatchObject({ code: "untrusted_dir", dir: join(root, "other") });
  expect(await create({ dir, trust: true })).toEqual({ place: "local", dir: join(root, "other") });
  expect(await create({ dir: join(root, "other") })).toMatchObject({ dir: join(root, "other") });
});

test("the trust in a folder counts for one place only", async () => {
  const { create } = openPorts();
  const dir = join(root, "third");
  expect(await create({ dir, trust: true })).toMatchObject({ dir });
  expect(await create({ dir, place: "box" })).toMatchObject({
    code: "untrusted_dir",
    place: "box",
  });
  expect(await create({ dir, place: "box", trust: true })).toEqual({ dir, place: "box" });
});

test("the simulator is not asked about, since it starts nothing that a folder configures", async () => {
  const simulated = { dir: join(root, "other"), place: "simulator" };
  expect(await openPorts().create(simulated)).toEqual(simulated);
});

test("a folder that is none is refused, and a place that is none before its folder is asked for", async () => {
  const { create } = openPorts();
  for (const dir of [join(root, "nothing"), join(root, "file"), "own"])
    expect(await create({ dir, trust: true })).toMatchObject({ status: 400 });
  const refused = { status: 404, code: "unknown_place" };
  for (const trust of [false, true])
    expect(await create({ dir: "/srv", place: "nowhere", trust })).toMatchObject(refused);
});

test("a session on another machine needs the name of its folder", async () => {
  const { create } = openPorts({ place: "box" });
  expect(await create({ trust: true })).toMatchObject({ status: 400, field: "dir" });
});

test("a conversation that was written to in the last minute is resumed with force:true only, and copied at any time", async () => {
  const { create } = openPorts({ writtenAt: NOW - 59_000 });
  const resume = CONVERSATION;
  expect(await create({ resume })).toMatchObject({ status: 409, code: "in_use" });
  expect(await create({ resume, force: true })).toMatchObject({ place: "local" });
  expect(await create({ resume, fork: true })).toMatchObject({ place: "local" });
  const later = openPorts({ writtenAt: NOW - 60_000 });
  expect(await later.create({ resume })).toMatchObject({ place: "local" });
  expect(later.created).toMatchObject([{ resume }]);
});

test("a request that has created a session asks nothing again", async () => {
  const { create, ports } = openPorts({ writtenAt: NOW });
  const journal = openJournal(":memory:");
  const row = { id: "s", title: "", createdAt: 1, updatedAt: 1, isQueueHeld: false } as const;
  const summary = { state: "idle", pending: 0, queued: 0, costUsd: 0 } as const;
  journal.create({ ...row, place: "local", dir: "/gone", requestId: "r", summary });
  Object.assign(ports, { journal });
  const again = { dir: join(root, "other"), resume: CONVERSATION, request_id: "r" };
  expect(await create(again)).toEqual({ place: "local", dir: "/gone" });
});

test("a conversation of a session of this host is refused, also with force:true, and copied at any time", async () => {
  const refusal = new ApiError(409, "in_use", "it is that of one", { session: "one" });
  const { create } = openPorts({ refusal });
  for (const force of [false, true])
    expect(await create({ resume: CONVERSATION, force })).toMatchObject({
      status: 409,
      code: "in_use",
      session: "one",
    });
  expect(await create({ resume: CONVERSATION, fork: true })).toMatchObject({ place: "local" });
});
