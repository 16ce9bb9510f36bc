/** Connections of clients that are not signed in, over real sockets, with a host that may open few files. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTROL_SUBTYPES } from "../../../src/messages/control-subtypes.ts";
import { endHosts, startHost } from "../../../testing/drivers/host-process.ts";
import { StuckClient } from "../../../testing/drivers/stuck-client.ts";
import { eventually } from "../../stream/__tests__/support/eventually.ts";
import { FrontProxy } from "../front-proxy.ts";
import { MAX_IDLE_MS } from "../proxied-connection.ts";

const LONGEST_COMMAND_MS = Math.max(
  ...Object.values(CONTROL_SUBTYPES).map(({ timeoutMs }) => timeoutMs),
);

/** So few files that a hundred more connections would not leave the host enough. */
const FILES = 200;

const host = await startHost({ prefix: ["sh", "-c", `ulimit -n ${FILES}; exec "$@"`, "sh"] });
afterAll(endHosts);

const open = new Set<Socket>();
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});

type Connection = { readonly closed: Promise<unknown>; readonly socket: Socket; text: string };

async function connectTo(bytes = ""): Promise<Connection> {
  const socket = connect(host.port, "127.0.0.1");
  open.add(socket);
  const connection: Connection = {
    socket,
    closed: new Promise((resolve) => socket.on("close", resolve)),
    text: "",
  };
  socket.on("error", () => {});
  socket.on("data", (piece) => {
    connection.text += piece.toString("latin1");
  });
  await new Promise<void>((resolve) => socket.on("connect", resolve));
  socket.write(bytes);
  return connection;
}

function head(path: string, authorization?: string): string {
  const lines = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${host.port}`];
  if (authorization !== undefined) lines.push(`Authorization: ${authorization}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Far fewer clients that are not signed in than the host holds, whatever files each has open. */
const AT_ONCE = 10;

/**
 * Opens hundreds of connections, as fast as the host takes them: it reads the head of any client before the
 * next ones come.
 */
async function attack(bytes: () => string): Promise<void> {
  for (let round = 0; round < 40; round++) {
    for (let count = 0; count < AT_ONCE; count++) await connectTo(bytes());
    await host.run("health");
  }
}

test.each([
  ["say nothing", () => ""],
  ["begin a head and do not end it", () => "GET / HTTP/1.1\r\nHost: "],
  ["are refused and stay", () => head("/api/health")],
  ["have a wrong token", () => head("/api/events", "Bearer wrong")],
  [
    "begin a body",
    () => head("/").replace("GET", "POST").replace("\r\n\r\n", "\r\nContent-Length: 9\r\n\r\n"),
  ],
])(
  "hundreds of connections that %s leave files for a client that is signed in, and for its sessions",
  async (_, bytes) => {
    const attacked = attack(bytes);
    const session = await host.createSession();
    const events = await session.events();
    await attacked;
    expect((await session.message("Are you there?")).status).toBe(200);
    await events.next("turn_complete");
    const again = await host.createSession();
    expect((await again.run("delete")).status).toBe(200);
    events.close();
    await session.run("delete");
  },
);

test("a connection of a client that is signed in is not closed for those of others that come later", async () => {
  const authorization = `Bearer ${host.token}`;
  const [idle, stream] = [
    await connectTo(head("/api/health", authorization)),
    await connectTo(head("/api/events", authorization)),
  ];
  const late = await connectTo(head("/api/health"));
  await eventually(() => late.text.includes("401"));
  late.socket.write(head("/api/health", authorization));
  await eventually(() => late.text.includes('"status":"ok"'));
  const others = [];
  for (let count = 0; count < 100; count++) others.push(await connectTo());
  await others[0]?.closed;
  for (const kept of [idle, late]) {
    kept.text = "";
    kept.socket.write(head("/api/health", authorization));
    await eventually(() => kept.text.includes('"status":"ok"'));
  }
  expect(stream.text).toContain("event: sessions");
  expect(stream.socket.closed).toBe(false);
});

test("a connection whose client reads none of the waiting bytes is closed after a minute, an idle one when the longest command has its answer, and others not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "front-proxy-"));
  const path = join(folder, "socket");
  const large = "x".repeat(20 * 1024 * 1024);
  const server = Bun.serve({
    unix: path,
    fetch: ({ url }) => new Response(url.endsWith("large") ? large : ""),
  });
  const proxy = new FrontProxy({ path, maxHeadBytes: 1_000, isSignedIn: () => true });
  const listener = proxy.listen("127.0.0.1", 0);
  const [stuck, idle] = [
    await StuckClient.events(listener.port, "/large"),
    await StuckClient.events(listener.port, "/small"),
  ];
  idle.read();
  await eventually(() => idle.text.includes("200 OK"));
  proxy.check(performance.now() + 59_000);
  expect(proxy.connections).toBe(2);
  // Waits until the buffers of the system are full.
  await eventually(() => {
    proxy.check(performance.now() + 61_000);
    return proxy.connections === 1;
  });
  proxy.check(performance.now() + LONGEST_COMMAND_MS);
  expect(proxy.connections).toBe(1);
  proxy.check(performance.now() + MAX_IDLE_MS + 1_000);
  expect(proxy.connections).toBe(0);
  await idle.closed;
  stuck.close();
  proxy.close();
  listener.stop(true);
  await server.stop(true);
  rmSync(folder, { recursive: true });
});
