/**
 * The WebSocket over a real connection: subscriptions and frames. `socket-commands.test.ts` has the
 * commands.
 */
import { afterEach, expect, test } from "bun:test";
import { SocketClient } from "../../../testing/drivers/host-clients.ts";
import { StuckClient } from "../../../testing/drivers/stuck-client.ts";
import { socketHandlers } from "../socket.ts";
import { PING_MS } from "../sse.ts";
import { eventually } from "./support/eventually.ts";
import { endStreams, kept, type StreamServer, startStreamServer } from "./support/stream-server.ts";

const KIB = 1024;

afterEach(endStreams);

const open = async ({ url }: StreamServer) => kept(await SocketClient.open(`${url}/ws`, {}));

test("one socket carries several sessions, each with its verdict first and its own numbers", async () => {
  const server = startStreamServer();
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
  const server = startStreamServer();
  server.sessions.add("one");
  const client = await open(server);
  const order: string[] = [];
  await Promise.all([
    client.run("subscribe", { s: "one" }).then(() => order.push("answer")),
    client.next("resume").then(() => order.push("frame")),
  ]);
  expect(order).toEqual(["answer", "frame"]);
});

test("after unsubscribe there are no more frames of that session, and the others go on", async () => {
  const server = startStreamServer();
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
  const server = startStreamServer();
  server.sessions.add("one");
  const client = await open(server);
  expect(await client.run("subscribe", { s: "nobody" })).toMatchObject({
    ok: false,
    code: "unknown_session",
  });
  expect(await client.run("subscribe", { s: "one" })).toMatchObject({ ok: true });
});

test("a client has at most 256 subscriptions", async () => {
  const server = startStreamServer();
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

test("a quiet socket gets a ping frame, every 15 seconds unless a test says otherwise, and Bun lets it be quiet for longer", async () => {
  const server = startStreamServer({ pingMs: 5 });
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

test("a client that gives commands and does not read the answers is cut off", async () => {
  const text = "x".repeat(1024 * KIB);
  const server = startStreamServer({ run: async () => ({ status: 200, body: { text } }) });
  const stuck = kept(await StuckClient.socket(server.port, { id: 1, cmd: "health" }));
  await eventually(() => server.sockets === 1);
  for (let count = 2; count < 40; count++) stuck.give({ id: count, cmd: "health" });
  await eventually(() => server.sockets === 0);
});

test("large snapshots of several sessions come one after the other, beside answers to commands", async () => {
  const server = startStreamServer();
  const names = ["one", "two", "three"];
  for (const name of names) server.sessions.add(name).title = "x".repeat(20 * 1024 * KIB);
  const client = await open(server);
  const answers = names.map((s) => client.run("subscribe", { s }));
  await Promise.all([...answers, client.run("health")]);
  for (const name of names) await client.next(({ s, t }) => s === name && t === "snapshot");
  server.sessions.get("one").commit(10);
  await client.next(({ s, q }) => s === "one" && q === 1);
});
