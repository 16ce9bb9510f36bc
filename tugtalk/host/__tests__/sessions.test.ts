/** Sessions and how Claude is started, over real sockets. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { isSubset } from "../../simulator/matching.ts";
import { HELD } from "../../testing/drivers/bridge-states.ts";
import { isGone } from "../../testing/drivers/claudes.ts";
import type { Fields } from "../../testing/drivers/host-clients.ts";
import { askingTurn, endingTurn } from "../../testing/drivers/host-conversations.ts";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../testing/drivers/host-process.ts";
import { readAnswer } from "../../testing/drivers/http-answer.ts";

let host: TestHost;
/** Of the tests that need no turns of their own. */
let shared: TestHostSession;
beforeAll(async () => {
  // What a host that was started by Claude, or beside other secrets, has in its environment.
  host = await startHost({ env: { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli" } });
  shared = await host.createSession();
});
afterAll(endHosts);

async function finishTurn(session: TestHostSession, message: string): Promise<void> {
  const events = await session.events();
  const { body } = await session.message(message);
  await events.next(({ type, data }) => {
    return type === "turn_complete" && Object(data["message_ids"]).includes(body["message_id"]);
  });
  events.close();
}

test("Claude is started in the session's folder with model and mode as --flag=value, stream-json both ways, and without -p, --sdk-url, CLAUDECODE and the host's token", async () => {
  const session = await host.createSession({ model: "opus", permission_mode: "plan" });
  await finishTurn(session, "hi");
  const args = session.claudes[0]?.args ?? [];
  expect(args).toEqual(
    expect.arrayContaining([
      "--input-format=stream-json",
      "--output-format=stream-json",
      "--permission-prompt-tool=stdio",
      "--verbose",
      "--include-partial-messages",
      "--model=opus",
      "--permission-mode=plan",
    ]),
  );
  expect(args.filter((word) => !word.startsWith("--"))).toEqual([]);
  expect(args.join(" ")).not.toContain("sdk-url");
  const variables = session.claudes[0]?.variables ?? [];
  expect(variables.length).toBeGreaterThan(3);
  expect(variables.filter(([name]) => name.startsWith("CLAUDECODE"))).toEqual([]);
  expect(JSON.stringify(session.claudes)).not.toContain(host.token);
});

test("messages, answers, interrupts, the mode and the beginning are lines of Claude's own protocol", async () => {
  const conversation = [...askingTurn({ id: "p" }), ...HELD];
  const session = await host.createSession({ conversation });
  const events = await session.events();
  const { body } = await session.message("hi");
  await events.next("approval-requested");
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next("turn_complete");
  await session.run("mode", { mode: "acceptEdits" });
  await session.message("again");
  await events.next(({ data }) => data["status"] === "partial");
  await session.run("interrupt");
  await events.next("turn_complete");
  const request = (subtype: string, fields: Fields = {}) => ({
    type: "control_request",
    request: { subtype, ...fields },
  });
  const message = { role: "user", content: [{ type: "text", text: "hi" }] };
  for (const line of [
    request("initialize"),
    { type: "user", uuid: body["message_id"], message },
    {
      type: "control_response",
      response: { subtype: "success", request_id: "p", response: { behavior: "allow" } },
    },
    request("set_permission_mode", { mode: "acceptEdits" }),
    request("interrupt"),
  ])
    expect(session.claudeInput.filter((heard) => isSubset(line, heard))).toHaveLength(1);
  const ids = session.claudeInput.flatMap(({ request_id }) => request_id ?? []);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
});

test("a session has Claude's session id, and what Claude says arrives as well", async () => {
  const session = await host.createSession();
  const events = await session.events();
  await session.message("hi");
  const init = await events.next("session_init");
  const tools = expect.arrayContaining(["Bash"]);
  expect((await events.next("system_metadata")).data).toMatchObject({ cwd: session.dir, tools });
  await events.next(
    ({ type, data }) => type === "assistant_text" && data["text"] === "You said: hi",
  );
  await events.next("turn_complete");
  const { body } = await session.run("session");
  expect(body["claude_session_id"]).toBe(init.data["session_id"]);
  expect(session.claudes[0]?.args).toContain(`--session-id=${init.data["session_id"]}`);
});

test("prompts and queue are kept by session, and those of an unknown session are 404", async () => {
  const [one, other] = [
    await host.createSession({ conversation: askingTurn({ id: "p" }) }),
    shared,
  ];
  const events = await one.events();
  await one.message("go");
  await events.next("approval-requested");
  await one.message("waits");
  expect((await one.run("session")).body).toMatchObject({ pending: 1, queued: 1 });
  expect((await other.run("session")).body).toMatchObject({ pending: 0, queued: 0 });
  for (const command of ["session", "pending", "queue", "snapshot"] as const)
    expect((await host.run(command, { id: crypto.randomUUID() })).status).toBe(404);
});

test("a session is created in a folder, once for each request id", async () => {
  const dir = host.newFolder();
  const fields = { dir, trust: true, request_id: "create-1", title: "Mine" };
  const first = await host.run("create", fields);
  const id = String(first.body["id"]);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(first).toMatchObject({ status: 201, body: { id, dir, title: "Mine" } });
  const again = await host.run("create", fields);
  expect(again.body["id"]).toBe(id);
});

test("a conversation of Claude's own is resumed, or continued in a copy", async () => {
  const resume = crypto.randomUUID();
  const resumed = await host.createSession({ resume });
  await finishTurn(resumed, "hi");
  expect(resumed.claudes[0]?.args).toContain(`--resume=${resume}`);
  const forked = await host.createSession({ resume, fork: true });
  await finishTurn(forked, "hi");
  expect(forked.claudes[0]?.args).toEqual(
    expect.arrayContaining([`--resume=${resume}`, "--fork-session"]),
  );
});

test("a session has its fields, and its cost is the sum of its turns though Claude's total is cumulative", async () => {
  const turns = [0.25, 1, 1.5].flatMap((total_cost_usd) =>
    endingTurn({ total_cost_usd, usage: { input_tokens: 10, output_tokens: 5 } }),
  );
  const session = await host.createSession({ conversation: turns, model: "opus" });
  for (const text of ["one", "two", "three"]) await finishTurn(session, text);
  const { body } = await session.run("session");
  expect(body).toMatchObject({
    id: session.id,
    claude_session_id: expect.any(String),
    place: "local",
    dir: session.dir,
    title: expect.any(String),
    state: "idle",
    model: expect.any(String),
    pending: 0,
    queued: 0,
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
  });
  expect(body["cost_usd"]).toBeCloseTo(1.5);
});

test("sessions are listed newest first, read and ended, and 404 once deleted", async () => {
  const [old, young] = [await host.createSession(), await host.createSession()];
  const { body } = await host.run("sessions");
  const ids = Object(body["sessions"]).map((session: Fields) => session["id"]);
  expect(ids.slice(0, 2)).toEqual([young.id, old.id]);
  const { data } = await (await young.events()).next("process_started");
  const kept = await host.request("DELETE", `/api/sessions/${young.id}?keep=1`);
  expect(kept).toMatchObject({ status: 200, body: { status: "ok" } });
  await isGone(Number(data["pid"]));
  expect((await young.run("session")).body).toMatchObject({ state: "exited" });
  expect((await young.run("delete")).status).toBe(200);
  expect((await young.run("session")).status).toBe(404);
  expect((await young.run("delete")).status).toBe(404);
});

test("the end of a session ends the turn once, cancels its prompts and says that Claude has exited", async () => {
  const session = await host.createSession({ conversation: askingTurn({ id: "p" }) });
  const events = await session.events();
  await session.message("go");
  await events.next("approval-requested");
  await host.request("DELETE", `/api/sessions/${session.id}?keep=1`);
  await events.next(({ type, data }) => type === "session_state" && data["state"] === "exited");
  const types = events.events.map(({ type }) => type);
  expect(types.filter((type) => type === "approval-cancelled")).toHaveLength(1);
  expect(types.filter((type) => /^turn_(complete|cancelled)$/.test(type))).toHaveLength(1);
});

test("the id of a session opens nothing without the token, and with it an unknown one is 404", async () => {
  for (const headers of [{}, { authorization: `Bearer ${shared.id}` }]) {
    const url = `${host.url}/api/sessions/${shared.id}`;
    expect((await fetch(url, { headers })).status).toBe(401);
    expect((await fetch(`${url}/events`, { headers })).status).toBe(401);
  }
  expect((await host.run("session", { id: crypto.randomUUID() })).status).toBe(404);
  const socket = await host.socket();
  const answer = await socket.run("subscribe", { s: crypto.randomUUID() });
  expect(answer).toMatchObject({ ok: false, code: expect.stringContaining("unknown") });
});

test("bad JSON, a wrong type, a missing and an unknown field are answered, and the next command works", async () => {
  const bad = await readAnswer(
    await fetch(`${host.url}/api/sessions/${shared.id}/message`, {
      method: "POST",
      headers: { ...host.authorization, "content-type": "application/json" },
      body: "{",
    }),
  );
  expect(bad).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  expect((await shared.run("message", { message: 7 })).status).toBe(400);
  expect((await shared.message("hi", { further: "field" })).status).toBe(400);
  expect((await shared.message("hi")).status).toBe(200);
});
