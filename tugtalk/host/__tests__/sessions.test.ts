/** Sessions and the starts of their Claudes, over real sockets. */
import { afterAll, expect, test } from "bun:test";
import { isGone } from "../../testing/drivers/claudes.ts";
import type { Fields } from "../../testing/drivers/host-clients.ts";
import { askingTurn, endingTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";

// The environment of a host that Claude has started, or that has other secrets.
const host = await startHost({ env: { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli" } });
afterAll(endHosts);

test("Claude is started in the session's folder with model and mode as --flag=value, stream-json both ways, and without -p, --sdk-url, CLAUDECODE and the host's token", async () => {
  const session = await host.createSession({ model: "opus", permission_mode: "plan" });
  await session.finishTurn("hi");
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

test("a session has Claude's session id, and Claude's messages arrive as well", async () => {
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

test("the events of a session have the model that was chosen when it was created, once", async () => {
  const session = await host.createSession({ model: "opus" });
  await session.finishTurn("hi");
  await session.run("update", { archived: true });
  await session.finishTurn("again");
  const events = await session.events();
  await events.next("turn_complete");
  await events.next("turn_complete");
  const changes = events.events.filter(({ type }) => type === "model_changed");
  expect(changes.map(({ data }) => data)).toMatchObject([{ model: "opus", source: "host" }]);
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
  await resumed.finishTurn("hi");
  expect(resumed.claudes[0]?.args).toContain(`--resume=${resume}`);
  const forked = await host.createSession({ resume, fork: true });
  await forked.finishTurn("hi");
  expect(forked.claudes[0]?.args).toEqual(
    expect.arrayContaining([`--resume=${resume}`, "--fork-session"]),
  );
});

test("a session has its fields, and its cost is the sum of its turns though Claude's total is cumulative", async () => {
  const turns = [0.25, 1, 1.5].flatMap((total_cost_usd) =>
    endingTurn({ total_cost_usd, usage: { input_tokens: 10, output_tokens: 5 } }),
  );
  const session = await host.createSession({ conversation: turns, model: "opus" });
  for (const text of ["one", "two", "three"]) await session.finishTurn(text);
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
  await events.next("control_request_forward");
  await host.request("DELETE", `/api/sessions/${session.id}?keep=1`);
  await events.next(({ type, data }) => type === "session_state" && data["state"] === "exited");
  const types = events.events.map(({ type }) => type);
  expect(types.filter((type) => type === "control_request_cancel")).toHaveLength(1);
  expect(types.filter((type) => /^turn_(complete|cancelled)$/.test(type))).toHaveLength(1);
});

test("a copy that is to end before a message that the transcript does not have is refused, and none is made", async () => {
  const session = await host.createSession();
  const before = (await host.run("sessions")).body;
  for (const message_id of ["x", crypto.randomUUID()])
    expect(await session.run("rewind", { message_id, conversation: "fork" })).toMatchObject({
      status: 404,
      body: { code: "unknown_message" },
    });
  expect((await host.run("sessions")).body).toEqual(before);
});
