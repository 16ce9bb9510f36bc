/** One client of the WebSocket without a port, with a connection that the test controls. */
import { expect, test } from "bun:test";
import { type CommandAnswer, TextBody } from "../../api/command.ts";
import { SocketClient } from "../socket-client.ts";
import { FakeSocket } from "./support/fake-socket.ts";
import { FakeSessions } from "./support/stream-server.ts";
import { nextTurn, settled } from "./support/turns-of-the-loop.ts";

function openClient() {
  const socket = new FakeSocket();
  const sessions = new FakeSessions();
  const reported: unknown[] = [];
  const answer: { status: number; body: CommandAnswer["body"] } = { status: 200, body: {} };
  const client = new SocketClient(
    socket,
    {},
    {
      sessions,
      run: async () => answer,
      report: (error) => reported.push(error),
      pingMs: 60_000,
    },
  );
  socket.onClose = () => client.close();
  const subscribe = (s: string) => client.receive(JSON.stringify({ id: 1, cmd: "subscribe", s }));
  return { socket, sessions, reported, client, subscribe, answer };
}

test.each(["one", "*"])("a client that its first frames of %s cut off is forgotten", async (s) => {
  const { socket, sessions, subscribe } = openClient();
  const session = sessions.add("one");
  socket.isDropping = true;
  subscribe(s);
  await nextTurn();
  expect(socket.isTerminated).toBe(true);
  expect(session.listeners + sessions.listeners).toBe(0);
});

test("an error of our own at a subscription is answered and reported, and does not reach Bun", async () => {
  const { socket, sessions, reported, client, subscribe } = openClient();
  const failure = new Error("the journal is gone");
  sessions.add("one").range = async () => {
    throw failure;
  };
  subscribe("one");
  await nextTurn();
  expect(JSON.parse(socket.sent.at(-1) ?? "")).toMatchObject({ id: 1, ok: false, status: 500 });
  expect(reported).toEqual([failure]);
  client.close();
});

test.each([
  ["unsubscribed", { id: 2, cmd: "unsubscribe", s: "one" }],
  ["unknown", { id: 2, cmd: "subscribe", s: "two" }],
])(
  "of subscriptions to a session that begin at the same time the last one counts (%s between)",
  async (_, between) => {
    const { sessions, client, subscribe } = openClient();
    const session = sessions.add("one");
    const range = session.range.bind(session);
    session.range = async () => {
      await nextTurn();
      return range();
    };
    subscribe("one");
    client.receive(JSON.stringify(between));
    subscribe("one");
    await settled();
    expect(session.listeners).toBe(1);
    client.receive(JSON.stringify({ id: 3, cmd: "unsubscribe", s: "one" }));
    expect(session.listeners).toBe(0);
    client.close();
  },
);

test("a text that cannot be made is answered with an error, and reported", async () => {
  const { socket, reported, client, answer } = openClient();
  const failure = new Error("the disk is gone");
  answer.body = new TextBody("text/plain", async function* () {
    yield "a piece";
    throw failure;
  });
  client.receive(JSON.stringify({ id: 7, cmd: "export", s: "one" }));
  await settled();
  expect(JSON.parse(socket.sent.at(-1) ?? "")).toMatchObject({ id: 7, ok: false, status: 500 });
  expect(reported).toEqual([failure]);
  client.close();
});
