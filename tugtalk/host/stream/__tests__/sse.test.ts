/** Server-sent events over a real socket. */
import { afterEach, expect, test } from "bun:test";
import { EventReader } from "../../../testing/drivers/host-clients.ts";
import { StuckClient } from "../../../testing/drivers/stuck-client.ts";
import { PING_MS } from "../sse.ts";
import { eventually } from "./support/eventually.ts";
import {
  type StreamServer,
  type StreamServerOptions,
  startStreamServer,
} from "./support/stream-server.ts";
import { nextTurn } from "./support/turns-of-the-loop.ts";

const KIB = 1024;

let server: StreamServer | undefined;
const clients: { close(): void }[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server?.stop();
});

function start(options: StreamServerOptions = {}): StreamServer {
  server = startStreamServer(options);
  return server;
}

async function open({ url }: StreamServer, path: string, headers = {}): Promise<EventReader> {
  const reader = await EventReader.open(url + path, headers);
  clients.push(reader);
  return reader;
}

test("each entry of the journal is an event with its cursor as id, and verdict and snapshot have none", async () => {
  const server = start();
  const session = server.sessions.add("one");
  session.commit(10);
  const reader = await open(server, "/events/one");
  expect(reader.headers.get("content-type")).toBe("text/event-stream");
  await reader.next("snapshot");
  session.commit(20);
  await reader.next("text_delta");
  const [verdict, snapshot, entry] = reader.events;
  expect(verdict).toEqual({ type: "resume", data: { result: "gap", from: { epoch: 1, seq: 1 } } });
  expect(snapshot?.id).toBeUndefined();
  expect(entry).toEqual({ id: "1.2", type: "text_delta", data: { seq: 2, text: "x".repeat(20) } });
});

test.each([
  ["its Last-Event-ID", "/events/one", { "last-event-id": "1.2" }, ["1.3"]],
  ["?after=", "/events/one?after=1.1", {}, ["1.2", "1.3"]],
  ["?after=0", "/events/one?after=0", {}, ["1.1", "1.2", "1.3"]],
  [
    "its Last-Event-ID rather than ?after=",
    "/events/one?after=0",
    { "last-event-id": "1.2" },
    ["1.3"],
  ],
])("a client resumes after %s", async (_, path, headers, ids) => {
  const server = start();
  server.sessions.add("one").commit(10, 10, 10);
  const reader = await open(server, path, headers);
  const verdict = await reader.next("resume");
  await reader.next(({ id }) => id === "1.3");
  expect(verdict.data["result"]).toBe("ok");
  expect(reader.events.slice(1).map(({ id }) => id ?? "none")).toEqual(ids);
});

test("a Last-Event-ID that is no cursor gives gap and a snapshot, so that a browser can go on", async () => {
  const server = start();
  server.sessions.add("one");
  const reader = await open(server, "/events/one", { "last-event-id": "17" });
  expect((await reader.next("resume")).data["result"]).toBe("gap");
});

test("an ?after= that is no cursor is refused with 400", async () => {
  const server = start();
  server.sessions.add("one");
  const response = await fetch(`${server.url}/events/one?after=yesterday`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "bad_request", field: "after" });
  expect(server.sessions.get("one").listeners).toBe(0);
});

test("a quiet stream gets a comment as ping, every 15 seconds unless a test says otherwise", async () => {
  const server = start({ pingMs: 5 });
  server.sessions.add("one");
  const reader = await open(server, "/events/one");
  await reader.next("snapshot");
  await eventually(() => reader.comments >= 3);
  expect(reader.events.length).toBe(2);
  expect(PING_MS).toBe(15_000);
});

test("when the client goes the session is no longer listened to", async () => {
  const server = start();
  const session = server.sessions.add("one");
  const reader = await open(server, "/events/one");
  await reader.next("snapshot");
  expect(session.listeners).toBe(1);
  reader.close();
  await eventually(() => session.listeners === 0);
});

test("a client that does not read is sent no more than the sockets hold, and then goes on without a hole", async () => {
  const server = start();
  const session = server.sessions.add("one");
  const stuck = await StuckClient.events(server.port, "/events/one?after=0");
  clients.push(stuck);
  await eventually(() => session.listeners === 1);
  for (let count = 0; count < 75; count++) session.commit(100 * KIB);
  stuck.read();
  await eventually(() => stuck.text.includes("id: 1.75\n"));
  const ids = [...stuck.text.matchAll(/^id: 1\.(\d+)$/gm)].map(([, seq]) => Number(seq));
  expect(ids).toEqual(Array.from({ length: 75 }, (_, index) => index + 1));
});

test("a client that is cut off has no hole in what it has read, and resumes after it", async () => {
  const server = start();
  const session = server.sessions.add("one");
  const stuck = await StuckClient.events(server.port, "/events/one?after=0");
  clients.push(stuck);
  await eventually(() => session.listeners === 1);
  for (let count = 0; session.listeners === 1; count++) {
    if (count > 10_000) throw new Error("it is never cut off");
    session.commit(100 * KIB);
    await Bun.sleep(0);
  }
  stuck.read();
  // The last piece of an answer whose length was not known.
  await eventually(() => stuck.text.endsWith("\r\n0\r\n\r\n"));
  const ids = [...stuck.text.matchAll(/^id: 1\.(\d+)$/gm)].map(([, seq]) => Number(seq));
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => index + 1));
  expect(ids.length).toBeLessThan(session.committed.length);
  const reader = await open(server, "/events/one", { "last-event-id": `1.${ids.length}` });
  expect((await reader.next("text_delta")).id).toBe(`1.${ids.length + 1}`);
});

test("a client that reads nothing of a large snapshot is cut off, though nothing follows, and its memory is free", async () => {
  const server = start({ pingMs: 50 });
  const session = server.sessions.add("one");
  session.title = "x".repeat(20 * 1024 * KIB);
  const memory = process.memoryUsage.rss();
  const stuck = await Promise.all(
    Array.from({ length: 10 }, () => StuckClient.events(server.port, "/events/one")),
  );
  clients.push(...stuck);
  await eventually(() => session.listeners === 10);
  await eventually(() => session.listeners === 0);
  Bun.gc(true);
  expect(process.memoryUsage.rss() - memory).toBeLessThan(100 * 1024 * KIB);
});

test("a client that reads slowly is not cut off", async () => {
  const server = start({ pingMs: 20 });
  server.sessions.add("one").title = "x".repeat(30 * 1024 * KIB);
  const slow = await StuckClient.events(server.port, "/events/one");
  clients.push(slow);
  slow.readEvery(20);
  await eventually(() => slow.text.includes("event: snapshot"));
  await eventually(() => slow.text.length > 30 * 1024 * KIB, 20_000);
});

test("the stream of a session that is deleted says so and ends", async () => {
  const server = start();
  const session = server.sessions.add("one");
  const reader = await open(server, "/events/one");
  await reader.next("snapshot");
  await nextTurn();
  session.announce("session-deleted");
  await reader.ended;
  expect(reader.events.at(-1)?.type).toBe("session-deleted");
  expect(session.listeners).toBe(0);
});

test("the board begins with the list and the open prompts as one event, and goes on with what happens in any session", async () => {
  const server = start();
  const { sessions } = server;
  sessions.add("one");
  sessions.add("two").prompts.push({
    type: "question",
    sessionId: "two",
    stageId: "two",
    requestId: "request-1",
    toolName: "AskUserQuestion",
    questions: [],
    input: {},
    createdAt: 1,
  });
  const reader = await open(server, "/board");
  const list = await reader.next("sessions");
  sessions.announce("one", "approval-requested", { requestId: "request-2" });
  const event = await reader.next("approval-requested");
  expect(list.id).toBeUndefined();
  expect(list.data).toMatchObject({
    sessions: [
      { id: "one", pending: 0 },
      { id: "two", pending: 1 },
    ],
    pending: [{ requestId: "request-1" }],
  });
  expect(event).toEqual({
    type: "approval-requested",
    data: { sessionId: "one", requestId: "request-2" },
  });
});

test("when the client of the board goes the sessions are no longer listened to", async () => {
  const server = start();
  const reader = await open(server, "/board");
  await reader.next("sessions");
  expect(server.sessions.listeners).toBe(1);
  reader.close();
  await eventually(() => server.sessions.listeners === 0);
});
