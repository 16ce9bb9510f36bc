/** One client of the WebSocket without a port, with a connection that does what the test says. */
import { expect, test } from "bun:test";
import { SocketClient } from "../socket-client.ts";
import { FakeSocket } from "./support/fake-socket.ts";
import { FakeSessions } from "./support/stream-server.ts";

function openClient() {
  const socket = new FakeSocket();
  const sessions = new FakeSessions();
  const reported: unknown[] = [];
  const client = new SocketClient(
    socket,
    {},
    {
      sessions,
      run: async () => ({ status: 200, body: {} }),
      report: (error) => reported.push(error),
      pingMs: 60_000,
    },
  );
  socket.onClose = () => client.close();
  const subscribe = (s: string) => client.receive(JSON.stringify({ id: 1, cmd: "subscribe", s }));
  return { socket, sessions, reported, client, subscribe };
}

test.each(["one", "*"])("a client that its first frames of %s cut off is forgotten", (s) => {
  const { socket, sessions, subscribe } = openClient();
  const session = sessions.add("one");
  socket.isDropping = true;
  subscribe(s);
  expect(socket.isTerminated).toBe(true);
  expect(session.listeners + sessions.listeners).toBe(0);
});

test("an error of our own at a subscription is answered and reported, and does not reach Bun", () => {
  const { socket, sessions, reported, client, subscribe } = openClient();
  const failure = new Error("the journal is gone");
  sessions.add("one").snapshot = () => {
    throw failure;
  };
  subscribe("one");
  expect(JSON.parse(socket.sent.at(-1) ?? "")).toMatchObject({ id: 1, ok: false, status: 500 });
  expect(reported).toEqual([failure]);
  client.close();
});
