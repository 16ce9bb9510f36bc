/** Server-sent events over a real socket. */
import { afterEach, expect, jest, test } from "bun:test";
import { EventReader } from "../../../testing/drivers/host-clients.ts";
import { StuckClient } from "../../../testing/drivers/stuck-client.ts";
import { PING_MS } from "../sse.ts";
import { eventually } from "./support/eventually.ts";
import { endStreams, kept, type StreamServer, startStreamServer } from "./support/stream-server.ts";
import { nextTurn } from "./support/turns-of-the-loop.ts";

const KIB = 1024;

const EVENTS = "/api/sessions/one/events";

afterEach(async () => {
  jest.useRealTimers();
  await endStreams();
});

const open = async ({ url }: StreamServer, path: string, headers = {}) =>
  kept(await EventReader.open(url + path, headers));

test("each entry of the journal is an event with its cursor as id, and verdict and snapshot have none", async () => {
  const server = startStreamServer();
  const session = server.sessions.add("one");
  session.commit(10);
  const reader = await open(server, EVENTS);
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
  ["its Last-Event-ID", EVENTS, { "last-event-id": "1.2" }, ["1.3"]],
  ["?after=", `${EVENTS}?after=1.1`, {}, ["1.2", "1.3"]],
  ["?after=0", `${EVENTS}?after=0`, {}, ["1.1", "1.2", "1.3"]],
  [
    "its Last-Event-ID rather than ?after=",
    `${EVENTS}?after=0`,
    { "last-event-id": "1.2" },
    ["1.3"],
  ],
])("a client resumes after %s", async (_, path, headers, ids) => {
  const server = startStreamServer();
  server.sessions.add("one").commit(10, 10, 10);
  const reader = await open(server, path, headers);
  const verdict = await reader.next("resume");
  await reader.next(({ id }) => id === "1.3");
  expect(verdict.data["result"]).toBe("ok");
  expect(reader.events.slice(1).map(({ id }) => id ?? "none")).toEqual(ids);
});

test("a Last-Event-ID that is no cursor gives gap and a snapshot, so that a browser can go on", async () => {
  const server = startStreamServer();
  server.sessions.add("one");
  const reader = await open(server, EVENTS, { "last-event-id": "17" });
  expect((await reader.next("resume")).data["result"]).toBe("gap");
});

test("an ?after= that is no cursor is refused with 400", async () => {
  const server = startStreamServer();
  server.sessions.add("one");
  const response = await fetch(`${server.url}${EVENTS}?after=yesterday`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "bad_request", field: "after" });
  expect(server.sessions.get("one").listeners).toBe(0);
});

test("a quiet stream gets a comment as ping, every 15 seconds unless a test says otherwise", async () => {
  const server = startStreamServer({ pingMs: 5 });
  server.sessions.add("one");
  const reader = await open(server, EVENTS);
  await reader.next("snapshot");
  await eventually(() => reader.comments >= 3);
  expect(reader.events.length).toBe(2);
  expect(PING_MS).toBe(15_000);
});

test("a client that reads nothing of a large snapshot is cut off, though nothing follows, and its memory is free", async () => {
  const server = startStreamServer({ pingMs: 50 });
  const session = server.sessions.add("one");
  session.title = "x".repeat(20 * 1024 * KIB);
  const memory = process.memoryUsage.rss();
  const stuck = await Promise.all(
    Array.from({ length: 10 }, () => StuckClient.events(server.port, EVENTS)),
  );
  for (const client of stuck) kept(client);
  await eventually(() => session.listeners === 10);
  await eventually(() => session.listeners === 0);
  Bun.gc(true);
  expect(process.memoryUsage.rss() - memory).toBeLessThan(100 * 1024 * KIB);
});

// A client that reads nothing is cut off at the fifth ping. The system buffers up to 2 MiB, of which each
// look reads a quarter. Here pings follow looks instead of a clock, so a slow machine shows the same.
test("a client that reads slowly is not cut off", async () => {
  jest.useFakeTimers();
  const server = startStreamServer();
  server.sessions.add("one").title = "x".repeat(20 * 1024 * KIB);
  const slow = kept(await StuckClient.events(server.port, EVENTS));
  let looks = 0;
  for (; slow.text.length < 20 * 1024 * KIB; looks++) {
    await slow.look();
    await nextTurn();
    if (looks % 3 === 0) jest.advanceTimersByTime(PING_MS);
  }
  expect(slow.text).toContain("event: snapshot");
  expect(looks).toBeGreaterThan(30);
});

test("the stream of a session that is deleted says so and ends", async () => {
  const server = startStreamServer();
  const session = server.sessions.add("one");
  const reader = await open(server, EVENTS);
  await reader.next("snapshot");
  await nextTurn();
  session.announce("session_deleted");
  await reader.ended;
  expect(reader.events.at(-1)?.type).toBe("session_deleted");
  expect(session.listeners).toBe(0);
});
