/** The WebSocket over a real connection: subscriptions and frames. `socket-commands.test.ts` has the commands. */
import { afterEach, expect, test } from "bun:test";
import { SocketClient } from "../../../testing/drivers/host-clients.ts";
import { StuckClient } from "../../../testing/drivers/stuck-client.ts";
import { socketHandlers } from "../socket.ts";
import { PING_MS } from "../sse.ts";
import { eventually } from "./support/eventually.ts";
import {
  type StreamServer,
  type StreamServerOptions,
  startStreamServer,
} from "./support/stream-server.ts";

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

async function open({ url }: StreamServer): Promise<SocketClient> {
  const client = await SocketClient.open(`${url}/ws`, {});
  clients.push(client);
  return client;
}

test("one socket carries several sessions, each with its verdict first and its own numbers", async () => {
  const server = start();
  const one = server.sessions.add("one");
  const two = server.sessions.add("two");
  one.commit(10);
  const client = await open(server);
  expect(await client.run("subscribe", { s: "one", after: 0 })).toEqual({
    id: "command-0",
    ok: true,
  });
  await client.run("subscribe", { s: "two" });
  await client.next(({ s, t }) => s === "two" && t === "snapshot");
  two.commit(5);
  await client.next(({ s, q }) => s === "two" && q === 1);
  expect(client.frames.filter(({ s }) => s === "one")).toEqual([
    { s: "one", t: "resume", d: { result: "ok", from: { epoch: 1, seq: 0 } } },
    { s: "one", e: 1, q: 1, t: "text_delta", d: { seq: 1, text: "x".repeat(10) } },
  ]);
  expect(client.frames.filter(({ s }) => s === "two").map(({ t }) => t ?? "")).toEqual([
    "resume",
    "snapshot",
    "text_delta",
  ]);
});

test("the answer to subscribe comes before the first frame", async () => {
  const server = start();
  server.sessions.add("one");
  const client = await open(server);
  const order: string[] = [];
  await Promise.all([
    client.run("subscribe", { s: "one" }).then(() => order.push("answer")),
    client.next("resume").then(() => order.push("frame")),
  ]);
  expect(order).toEqual(["answer", "frame"]);
});

test("a client resumes after the cursor of its last frame", async () => {
  const server = start();
  server.sessions.add("one").commit(10, 10, 10);
  const client = await open(server);
  await client.run("subscribe", { s: "one", after: { epoch: 1, seq: 2 } });
  await client.next(({ q }) => q === 3);
  expect(client.frames.map(({ t, q }) => q ?? t)).toEqual(["resume", 3]);
});

test("a second subscription to a session takes the place of the first", async () => {
  const server = start();
  const session = server.sessions.add("one");
  session.commit(10);
  const client = await open(server);
  await client.run("subscribe", { s: "one", after: { epoch: 1, seq: 1 } });
  await client.run("subscribe", { s: "one", after: 0 });
  await client.next(({ q }) => q === 1);
  expect(session.listeners).toBe(1);
  session.commit(10);
  await client.next(({ q }) => q === 2);
  expect(client.frames.filter(({ q }) => q === 2).length).toBe(1);
});

test("after unsubscribe there are no more frames of that session, and the others go on", async () => {
  const server = start();
  const one = server.sessions.add("one");
  const two = server.sessions.add("two");
  const client = await open(server);
  for (const s of ["one", "two"]) await client.run("subscribe", { s });
  await client.next(({ s, t }) => s === "two" && t === "snapshot");
  expect(await client.run("unsubscribe", { s: "one" })).toMatchObject({ ok: true });
  expect(one.listeners).toBe(0);
  one.commit(10);
  two.commit(10);
  await client.next("text_delta");
  expect(client.frames.filter(({ q }) => q !== undefined).map(({ s }) => s ?? "")).toEqual(["two"]);
});

test("an unknown session is answered with an error, and the connection stays", async () => {
  const server = start();
  server.sessions.add("one");
  const client = await open(server);
  expect(await client.run("subscribe", { s: "nobody" })).toMatchObject({
    ok: false,
    code: "unknown_session",
  });
  expect(await client.run("subscribe", { s: "one" })).toMatchObject({ ok: true });
});

test("a client has at most 256 subscriptions", async () => {
  const server = start();
  const client = await open(server);
  for (let count = 0; count < 256; count++) {
    server.sessions.add(`s${count}`);
    await client.run("subscribe", { s: `s${count}` });
  }
  server.sessions.add("more");
  expect(await client.run("subscribe", { s: "more" })).toMatchObject({
    ok: false,
    code: "too_many",
  });
  expect(await client.run("subscribe", { s: "s0" })).toMatchObject({ ok: true });
});

test("subscribing to * gives the list as one frame, and then what happens in any session", async () => {
  const server = start();
  server.sessions.add("one");
  const client = await open(server);
  await client.run("subscribe", { s: "*" });
  const list = await client.next("sessions");
  server.sessions.announce("one", "session-changed", { title: "A title" });
  const changed = await client.next("session-changed");
  expect(list).toMatchObject({ s: "*", d: { sessions: [{ id: "one" }], pending: [] } });
  expect(changed).toEqual({
    s: "one",
    t: "session-changed",
    d: { sessionId: "one", title: "A title" },
  });
});

test("when the client goes none of its sessions is listened to", async () => {
  const server = start();
  const session = server.sessions.add("one");
  const client = await open(server);
  await client.run("subscribe", { s: "one" });
  await client.run("subscribe", { s: "*" });
  client.close();
  await eventually(() => session.listeners === 0 && server.sessions.listeners === 0);
});

test("a quiet socket gets a ping frame, every 15 seconds unless a test says otherwise, and Bun lets it be quiet for longer", async () => {
  const server = start({ pingMs: 5 });
  const client = await open(server);
  expect(await client.next("ping")).toEqual({ t: "ping" });
  await client.next("ping");
  const { sessions } = server;
  const { idleTimeout = 0 } = socketHandlers({
    sessions,
    run: async () => ({ status: 200, body: {} }),
    report: () => {},
  });
  expect(PING_MS).toBe(15_000);
  expect(idleTimeout * 1000).toBeGreaterThan(2 * PING_MS);
});

/** The numbers of the entries in what a stuck client has read. */
function seqsIn({ text }: StuckClient): readonly number[] {
  return [...text.matchAll(/"e":1,"q":(\d+)/g)].map(([, seq]) => Number(seq));
}

function firstNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

test("a client that does not read its socket goes on without a hole when it reads", async () => {
  const server = start();
  const session = server.sessions.add("one");
  const stuck = await StuckClient.socket(server.port, {
    id: 1,
    cmd: "subscribe",
    s: "one",
    after: 0,
  });
  clients.push(stuck);
  await eventually(() => session.listeners === 1);
  for (let count = 0; count < 75; count++) session.commit(100 * KIB);
  stuck.read();
  await eventually(() => stuck.text.includes('"q":75'));
  expect(seqsIn(stuck)).toEqual(firstNumbers(75));
});

test("a client that does not read its socket is cut off, while another one gets every frame", async () => {
  const server = start();
  const session = server.sessions.add("one");
  const stuck = await StuckClient.socket(server.port, {
    id: 1,
    cmd: "subscribe",
    s: "one",
    after: 0,
  });
  clients.push(stuck);
  await eventually(() => session.listeners === 1);
  const reader = await open(server);
  await reader.run("subscribe", { s: "one", after: 0 });
  for (let count = 0; session.listeners === 2; count++) {
    if (count > 10_000) throw new Error("it is never cut off");
    session.commit(100 * KIB);
    await Bun.sleep(0);
  }
  stuck.read();
  await stuck.closed;
  const seqs = seqsIn(stuck);
  expect(seqs).toEqual(firstNumbers(seqs.length));
  expect(seqs.length).toBeLessThan(session.committed.length);
  await reader.next(({ q }) => q === session.committed.length);
  expect(reader.frames.flatMap(({ q }) => q ?? [])).toEqual(firstNumbers(session.committed.length));
});

test("a client that gives commands and does not read the answers is cut off", async () => {
  const text = "x".repeat(1024 * KIB);
  const server = start({ run: async () => ({ status: 200, body: { text } }) });
  const stuck = await StuckClient.socket(server.port, { id: 1, cmd: "health" });
  clients.push(stuck);
  await eventually(() => server.sockets === 1);
  for (let count = 2; count < 40; count++) stuck.give({ id: count, cmd: "health" });
  await eventually(() => server.sockets === 0);
});

test("large snapshots of several sessions come one after the other, beside answers to commands", async () => {
  const server = start();
  const names = ["one", "two", "three"];
  for (const name of names) server.sessions.add(name).title = "x".repeat(20 * 1024 * KIB);
  const client = await open(server);
  const answers = names.map((s) => client.run("subscribe", { s }));
  await Promise.all([...answers, client.run("health")]);
  for (const name of names) await client.next(({ s, t }) => s === name && t === "snapshot");
  server.sessions.get("one").commit(10);
  await client.next(({ s, q }) => s === "one" && q === 1);
});
