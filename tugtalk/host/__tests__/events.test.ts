/** Events and frames, over real sockets. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  CommandError,
  type HostFrame,
  openHttpTransport,
  openWebSocketTransport,
} from "../../client/client.ts";
import type { SentEvent } from "../../testing/drivers/host-clients.ts";
import {
  askingTurn,
  endingTurn,
  exit,
  interleavedTurn,
  withdrawingTurn,
} from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";
import { COLOUR, form } from "./support/asked-session.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(endHosts);

const isEnd = ({ type }: SentEvent) => type === "turn_complete";

test("the result of a turn is an event, after the cost of the turn", async () => {
  const result = { result: "done", duration_ms: 7, total_cost_usd: 0.5 };
  const session = await host.createSession({ conversation: endingTurn(result) });
  const events = await session.events();
  await session.message("go");
  expect((await events.next("cost_update")).data).toMatchObject({
    turn_cost_usd: 0.5,
    duration_ms: 7,
  });
  expect((await events.next("turn_complete")).data).toMatchObject({
    result: "success",
    text: "done",
  });
});

test("a subscription to all sessions begins with the list and has the events of each, with its id", async () => {
  const session = await host.createSession({ conversation: withdrawingTurn({ id: "p" }) });
  const [events, socket] = [await host.events("/api/events"), await host.socket()];
  await socket.run("subscribe", { s: "*" });
  const listed = JSON.stringify((await events.next(() => true)).data);
  expect(listed).toContain(session.id);
  expect(JSON.stringify((await socket.next(() => true)).d)).toContain(session.id);
  const { body } = await session.message("go");
  const id = { sessionId: session.id, stageId: session.id };
  for (const [type, data] of [
    ["message-sent", { message_id: body["message_id"] }],
    ["approval-requested", { requestId: "p" }],
    ["approval-cancelled", { requestId: "p" }],
  ] as const) {
    expect((await events.next(type)).data).toMatchObject({ ...id, ...data });
    expect(await socket.next(type)).toMatchObject({ s: session.id, d: { ...id, ...data } });
  }
});

test("the list of all sessions hears of new sessions, of their states and of their deletion", async () => {
  const events = await host.events("/api/events");
  await events.next(() => true);
  const session = await host.createSession({ conversation: askingTurn({ id: "p" }) });
  await session.message("go");
  const isChange = (state: string) => (event: SentEvent) => {
    const { type, data } = event;
    return data["id"] === session.id && type === "session-changed" && data["state"] === state;
  };
  await events.next(isChange("requires_action"));
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next(isChange("idle"));
  await session.run("delete");
  await events.next(({ type, data }) => type === "session-deleted" && data["id"] === session.id);
});

test("messages, decisions, answers and interrupts go by WebSocket with the answers of HTTP", async () => {
  const conversation = [{ id: "p" }, form("q"), { id: "r" }].flatMap((tool) => askingTurn(tool));
  const session = await host.createSession({ conversation });
  const socket = await host.socket();
  const s = session.id;
  await socket.run("subscribe", { s });
  const sent = await socket.run("message", { s, message: "go" });
  expect(sent).toMatchObject({ ok: true, status: "sent" });
  await socket.next("approval-requested");
  const decision = { requestId: "p", decision: "allow" };
  expect(await socket.run("approve", { s, ...decision })).toMatchObject({ ok: true });
  const late = await socket.run("approve", { s, ...decision });
  expect(late).toMatchObject({ ok: false, code: "already_resolved" });
  await socket.next("turn_complete");
  await socket.run("message", { s, message: "again" });
  await socket.next("question-requested");
  const answers = { requestId: "q", answers: { [COLOUR]: "Red" } };
  expect(await socket.run("answer", { s, ...answers })).toMatchObject({ ok: true });
  await socket.next("turn_complete");
  await socket.run("message", { s, message: "and again" });
  await socket.next("approval-requested");
  expect(await socket.run("interrupt", { s })).toMatchObject({ ok: true, queued: [] });
  expect((await socket.next("approval-cancelled")).d).toMatchObject({ requestId: "r" });
});

test("what is no command is refused in words, and the connection stays", async () => {
  const socket = await host.socket();
  for (const text of ["{", "7", "[]", '{"cmd":7}']) {
    socket.sendRaw(text);
    expect(await socket.nextRefusal()).toMatchObject({ ok: false, error: expect.any(String) });
  }
  expect(await socket.run("no_such_command")).toMatchObject({
    ok: false,
    code: expect.any(String),
  });
  expect(await socket.run("message", { s: 7 })).toMatchObject({ ok: false });
  const unknown = await socket.run("health", { further: "field" });
  expect(unknown).toMatchObject({ ok: false, field: "further" });
  for (const [command, fields] of [
    ["hello", { name: "desk", nam: "x" }],
    ["subscribe", { s: "*", aftr: 0 }],
    ["unsubscribe", { s: "*", x: 1 }],
  ] as const)
    expect(await socket.run(command, fields)).toMatchObject({ ok: false, code: "bad_request" });
  expect(await socket.run("health")).toMatchObject({ ok: true });
});

test("one stream brings a page up to date and goes on, and resumes after the last event that it has", async () => {
  const session = await host.createSession();
  const path = `/api/sessions/${session.id}/events`;
  const first = await host.events(path);
  expect((await first.next(() => true)).type).toBe("resume");
  expect((await first.next("snapshot")).data).toMatchObject({ state: {} });
  await session.message("one");
  const { id = "" } = await first.next(isEnd);
  first.close();
  const before = await session.events();
  await session.message("two");
  await before.next(isEnd);
  await before.next(isEnd);
  const resumed = await host.events(path, { "last-event-id": id });
  expect(await resumed.next(() => true)).toMatchObject({ type: "resume", data: { result: "ok" } });
  await resumed.next(isEnd);
  const after = before.events.slice(before.events.findIndex((event) => event.id === id) + 1);
  const wanted = after.slice(0, after.findIndex(isEnd) + 1).map((event) => event.id);
  expect(resumed.events.slice(1, wanted.length + 1).map((event) => event.id)).toEqual(wanted);
});

test("texts come in pieces and whole, tool calls with their ends and results, and the end is told", async () => {
  const session = await host.createSession({ conversation: interleavedTurn({ id: "p" }) });
  const events = await session.events();
  await session.message("go");
  await events.next("approval-requested");
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next(isEnd);
  const at = (type: string, status: string) =>
    events.events.findIndex((event) => event.type === type && event.data["status"] === status);
  const found = [
    at("assistant_text", "partial"),
    at("assistant_text", "complete"),
    at("tool_use", "complete"),
    events.events.findIndex(({ type }) => type === "tool_result"),
    events.events.findIndex(isEnd),
  ];
  expect(found).toEqual([...found].sort((a, b) => a - b));
  expect(found[0]).toBeGreaterThan(0);
});

test.each([
  ["HTTP", openHttpTransport],
  ["WebSocket", openWebSocketTransport],
] as const)(
  "by %s a command gives its answer or throws the refusal, and events come",
  async (_name, open) => {
    const session = await host.createSession();
    const transport = open({ url: host.url, token: host.token });
    const ended = Promise.withResolvers<HostFrame>();
    transport.subscribe(session.id, {}, (frame) => {
      if (frame.t === "turn_complete") ended.resolve(frame);
    });
    const sent = await transport.command("message", { id: session.id, message: "hi" });
    expect(sent["status"]).toBe("sent");
    expect(await ended.promise).toMatchObject({ s: session.id, d: { text: "You said: hi" } });
    const fields = { id: session.id, requestId: "never", decision: "deny" };
    const refusal = await transport.command("approve", fields).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CommandError);
    expect(refusal).toMatchObject({ status: 404, code: "unknown_request" });
    transport.close();
  },
);

test("permissions and their ends are told with session and request", async () => {
  const session = await host.createSession({ conversation: withdrawingTurn({ id: "p" }) });
  const events = await session.events();
  await session.message("go");
  const ids = { sessionId: session.id, requestId: "p" };
  expect((await events.next("approval-requested")).data).toMatchObject({
    ...ids,
    toolName: "Write",
    input: { file_path: "a" },
  });
  expect((await events.next("approval-cancelled")).data).toMatchObject(ids);
});

test("the states of a session are told, and the end of Claude's process with its exit code", async () => {
  const conversation = [...endingTurn({}), exit(3)];
  const session = await host.createSession({ conversation });
  const events = await session.events();
  await session.message("go");
  expect((await events.next("process_exit")).data).toMatchObject({ exit_code: 3 });
  const states = events.events.filter(({ type }) => type === "session_state");
  const names = states.map(({ data }) => data["state"]);
  expect(names).toEqual(expect.arrayContaining(["starting", "idle", "running"]));
});

test("the past of a session is in its snapshot and, older, in its turns, before what is live", async () => {
  const session = await host.createSession();
  const events = await session.events();
  for (const text of ["one", "two"]) {
    await session.message(text);
    await events.next(isEnd);
  }
  const { body } = await session.run("snapshot");
  const text = JSON.stringify(body);
  expect(text.indexOf("You said: one")).toBeLessThan(text.indexOf("You said: two"));
  expect(text.split("You said: one")).toHaveLength(2);
  expect((await session.run("turns", { limit: 10 })).status).toBe(200);
});

test("a subscription that ends, or whose client is gone, ends alone, and the exit is told to all others", async () => {
  const session = await host.createSession();
  const [gone, stays, socket] = [
    await session.events(),
    await session.events(),
    await host.socket(),
  ];
  await socket.run("subscribe", { s: session.id });
  gone.close();
  expect(await socket.run("unsubscribe", { s: session.id })).toMatchObject({ ok: true });
  const seen = () => socket.frames.filter((frame) => frame.s === session.id).length;
  const before = seen();
  await session.message("hi");
  await stays.next(isEnd);
  expect(seen()).toBe(before);
  await host.request("DELETE", `/api/sessions/${session.id}?keep=1`);
  await stays.next(({ type, data }) => type === "session_state" && data["state"] === "exited");
});
