/** The table of commands, without a port: the refusals of each command, and the answers to errors. */
import { expect, test } from "bun:test";
import { HOST_ROUTES, type HostCommand } from "../../../client/host-routes.ts";
import { ApiError } from "../../api/api-error.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { openSessions } from "../../sessions/sessions.ts";
import type { CommandPorts } from "../command-ports.ts";
import { openCommands } from "../commands.ts";
import { openCommandRunner } from "../run-command.ts";

const data = { path: "/data", isDefault: true, home: "/home" };

async function openRunner(changed: Partial<CommandPorts> = {}) {
  const journal = openJournal(":memory:");
  const startBridge = () => Promise.reject(new ApiError(503, "no_claude", "there is no Claude"));
  const reported: unknown[] = [];
  const commands = openCommands({
    journal,
    sessions: await openSessions({ journal, startBridge }),
    pastSessions: async () => ({ sessions: [], next: "1_x" }),
    config: { version: "1.2.3", dir: import.meta.dir, place: "local", data, places: [] },
    revoke: async () => {},
    pageVersion: async () => "v1",
    now: () => 0,
    ...changed,
  });
  const runner = openCommandRunner(
    commands,
    async () => {},
    (error) => reported.push(error),
  );
  const run = (name: HostCommand, fields: Readonly<Record<string, unknown>>) =>
    runner(name, fields, {});
  return { run, reported, journal };
}

const UNKNOWN = { id: "unknown" };

/** Correct fields of each command, but for the id of the session. */
const GOOD: Readonly<Partial<Record<HostCommand, Readonly<Record<string, unknown>>>>> = {
  update: { title: "x" },
  message: { message: "x" },
  edit_queued: { message_id: "m", message: "x" },
  delete_queued: { message_id: "m" },
  send_queued: { message_id: "m" },
  read_returned: { message_id: "m" },
  take_returned: { message_id: "m" },
  approve: { request_id: "r", decision: "allow" },
  answer: { request_id: "r", answers: {} },
  elicitation: { request_id: "r", action: "accept" },
  dialog: { request_id: "r", behavior: "completed" },
  stop_task: { task_id: "t" },
  mode: { permission_mode: "plan" },
  model: { model: null },
  control: { subtype: "x" },
  search: { q: "x" },
  move: { place: "local" },
  rewind: { message_id: "m", files: true },
};

const OF_SESSION = Object.entries(HOST_ROUTES).flatMap(([name, { path }]) =>
  path.includes("/:id") ? [name as HostCommand] : [],
);

const sessionOf = (name: HostCommand) => (OF_SESSION.includes(name) ? UNKNOWN : {});

test("each command about a session that is unknown answers 404", async () => {
  const { run } = await openRunner();
  expect(OF_SESSION.length).toBeGreaterThan(20);
  for (const name of OF_SESSION) {
    const answer = await run(name, { ...UNKNOWN, ...GOOD[name] });
    const refusal = { status: 404, body: { code: "unknown_session" } };
    expect({ name, ...answer }).toMatchObject({ name, ...refusal });
  }
});

test("each command about a session answers 400 without one, and takes it as stageId too", async () => {
  const { run } = await openRunner();
  for (const name of OF_SESSION) {
    const { status, body } = await run(name, GOOD[name] ?? {});
    expect({ name, status, body }).toMatchObject({ name, status: 400, body: { field: "id" } });
    const named = await run(name, { stageId: "unknown", ...GOOD[name] });
    expect({ name, status: named.status }).toEqual({ name, status: 404 });
  }
});

const ATTACHED = { filename: "a", content: "x", media_type: "text/plain" };

/** A field of the wrong shape, or an unknown one: the command, its fields, and the name of the field. */
const WRONG: readonly [HostCommand, Readonly<Record<string, unknown>>, field: string][] = [
  ["create", { dir: 1 }, "dir"],
  ["create", { dir: "" }, "dir"],
  ["create", { resume: "../x" }, "resume"],
  ["create", { fork: "yes" }, "fork"],
  ["create", { trust: "true" }, "trust"],
  ["create", { options: { allowed_tool: ["Bash"] } }, "options.allowed_tool"],
  ["create", { fork: true }, "fork"],
  ["create", { at_message: "11111111-2222-4333-8444-555555555555" }, "at_message"],
  ["create", { resume: "11111111-2222-4333-8444-555555555555", at_message: "m" }, "at_message"],
  ["fork", { at_message: "m" }, "at_message"],
  ["create", { force: true }, "force"],
  ["create", { mirror: "yes" }, "mirror"],
  ["move", { id: "x" }, "place"],
  ["move", { id: "x", place: "local", dir: 7 }, "dir"],
  [
    "message",
    { message: "x", attachments: [{ ...ATTACHED, mediaType: "x" }] },
    "attachments.0.mediaType",
  ],
  ["control", { subtype: "mcp_toggle", serverName: "x", enabled: true, on: true }, "on"],
  ["mode", { mode: "plan", stageId: "other" }, "stageId"],
  ["mode", { mode: "plan", permission_mode: "plan" }, "mode"],
  ["create", { options: { max_turns: 0 } }, "options.max_turns"],
  ["create", { options: { host_tools: [] } }, "options.host_tools"],
  ["create", { options: { host_hooks: [] } }, "options.host_hooks"],
  ["create", { options: { transcript_mirror: true } }, "options.transcript_mirror"],
  ["create", { options: { shutdown_grace_ms: 4_001 } }, "options.shutdown_grace_ms"],
  ["update", { title: "  " }, "title"],
  ["update", { title: "x".repeat(501) }, "title"],
  ["delete", { keep: "perhaps" }, "keep"],
  ["turns", { limit: "0" }, "limit"],
  ["turns", { limit: "many" }, "limit"],
  ["message", {}, "message"],
  ["message", { message: 5 }, "message"],
  ["message", { message: " \n" }, "message"],
  ["message", { message: "x", delivery: "later" }, "delivery"],
  ["message", { message: "x", attachments: [{ filename: "a" }] }, "attachments.0.content"],
  ["edit_queued", { message_id: "m", message: "" }, "message"],
  ["approve", { decision: "allow" }, "request_id"],
  ["approve", { request_id: "r", decision: "maybe" }, "decision"],
  ["approve", { request_id: "r", decision: "allow", suggestions: [-1] }, "suggestions.0"],
  ["approve", { request_id: "r", decision: "allow", updatedInput: [] }, "updatedInput"],
  ["answer", { answers: {} }, "request_id"],
  ["answer", { request_id: "r" }, "answers"],
  ["answer", { request_id: "r", answers: "A" }, "answers"],
  ["elicitation", { request_id: "r", action: "yes" }, "action"],
  ["dialog", { request_id: "r" }, "behavior"],
  ["interrupt", { include_background: 1 }, "include_background"],
  ["mode", {}, "permission_mode"],
  ["model", {}, "model"],
  ["control", {}, "subtype"],
  ["rewind", { message_id: "m" }, "files"],
  ["rewind", { message_id: "m", conversation: "there" }, "conversation"],
  ["export", { format: "pdf" }, "format"],
  ["history", { limit: "1000" }, "limit"],
  ["history", { before: "zz" }, "before"],
];

test("each command refuses a field that it does not know with 400 and its name", async () => {
  const { run, reported } = await openRunner();
  for (const name of Object.keys(HOST_ROUTES) as HostCommand[]) {
    const fields = { ...sessionOf(name), ...GOOD[name] };
    const answer = await run(name, { ...fields, misspelt: 1 });
    // The bridge checks the arguments of a request that the host does not know.
    if (name === "control") continue;
    const refusal = { status: 400, body: { code: "bad_request", field: "misspelt" } };
    expect({ name, ...answer }).toMatchObject({ name, ...refusal });
  }
  expect(reported).toEqual([]);
});

test("a field of the wrong shape is answered with 400 and its name, and not with its value", async () => {
  const { run, reported } = await openRunner();
  for (const [name, fields, field] of WRONG) {
    const answer = await run(name, { ...sessionOf(name), ...fields });
    const body = { code: "bad_request", field, error: expect.stringContaining(field) };
    expect({ name, fields, ...answer }).toMatchObject({ name, fields, status: 400, body });
  }
  expect(reported).toEqual([]);
});

test("a refusal keeps its status, its code and its further fields", async () => {
  const refusal = new ApiError(409, "taken", "it is taken", { by: "somebody" });
  const { run, reported } = await openRunner({ pastSessions: () => Promise.reject(refusal) });
  expect(await run("history", {})).toEqual({
    status: 409,
    body: { error: "it is taken", code: "taken", by: "somebody" },
  });
  expect(reported).toEqual([]);
});

test("an error that nobody expected is answered with 500 without its words, and reported", async () => {
  const mistake = new Error("the secret is 42");
  const { run, reported } = await openRunner({ pastSessions: () => Promise.reject(mistake) });
  const answer = await run("history", {});
  expect(answer).toMatchObject({ status: 500, body: { code: "internal_error" } });
  expect(JSON.stringify(answer)).not.toContain("42");
  expect(reported).toEqual([mistake]);
});

test("a session whose Claude cannot be started is refused and leaves nothing behind", async () => {
  const { run } = await openRunner();
  expect(await run("create", {})).toMatchObject({ status: 503, body: { code: "no_claude" } });
  expect(await run("sessions", {})).toEqual({ status: 200, body: { sessions: [] } });
});

test("the history of a place is given with the cursor of its next page", async () => {
  const asked: unknown[] = [];
  const { run } = await openRunner({
    pastSessions: async (...words) => {
      asked.push(words);
      return { sessions: [], next: "7_y" };
    },
  });
  const before = `9_${crypto.randomUUID()}`;
  const fields = { dir: "/srv", place: "box", limit: "5", before };
  expect(await run("history", fields)).toEqual({
    status: 200,
    body: { sessions: [], next: "7_y" },
  });
  expect(asked).toEqual([
    [
      { place: "box", dir: "/srv" },
      { limit: 5, before },
    ],
  ]);
});

test("an id with a NUL character, which PostgreSQL does not take, is refused whatever the journal", async () => {
  const { run } = await openRunner();
  const refused = { status: 400, body: { code: "bad_request", field: "client_msg_id" } };
  expect(await run("message", { ...UNKNOWN, message: "x", client_msg_id: "a\0b" })).toMatchObject(
    refused,
  );
});
