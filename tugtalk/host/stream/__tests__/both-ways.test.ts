/** The frames that a client gets by server-sent events and by the WebSocket alike, over real sockets. */
import { afterEach, describe, expect, test } from "bun:test";
import { EventReader, type Fields, SocketClient } from "../../../testing/drivers/host-clients.ts";
import { byEvents, bySocket, type Way } from "../../../testing/drivers/journal-follower.ts";
import { StuckClient } from "../../../testing/drivers/stuck-client.ts";
import { eventually } from "./support/eventually.ts";
import { endStreams, kept, type StreamServer, startStreamServer } from "./support/stream-server.ts";

const COMMIT_CHARS = 100 * 1024;

type Board = { readonly next: (type: string) => Promise<Fields>; readonly close: () => void };

type Row = {
  readonly name: string;
  readonly connect: Way;
  /** A client of the session `one` that reads nothing. */
  readonly openStuck: (port: number) => Promise<StuckClient>;
  /** Finds the number of an entry in the text that a stuck client has read. */
  readonly seq: RegExp;
  /** Resolves when a stuck client has read the end of its stream. */
  readonly isCutOff: (stuck: StuckClient) => Promise<void>;
  readonly openBoard: (url: string) => Promise<Board>;
};

const WAYS: readonly Row[] = [
  {
    name: "server-sent events",
    connect: byEvents,
    openStuck: (port) => StuckClient.events(port, "/api/sessions/one/events?after=0"),
    seq: /^id: 1\.(\d+)$/gm,
    // The last piece of an answer without a length.
    isCutOff: (stuck) => eventually(() => stuck.text.endsWith("\r\n0\r\n\r\n")),
    openBoard: async (url) => {
      const reader = await EventReader.open(`${url}/api/events`, {});
      const next = async (type: string) => (await reader.next(type)).data;
      return { next, close: () => reader.close() };
    },
  },
  {
    name: "the WebSocket",
    connect: bySocket,
    openStuck: (port) => StuckClient.socket(port, { id: 1, cmd: "subscribe", s: "one", after: 0 }),
    seq: /"e":1,"q":(\d+)/g,
    isCutOff: (stuck) => stuck.closed,
    openBoard: async (url) => {
      const client = await SocketClient.open(`${url}/ws`, {});
      await client.run("subscribe", { s: "*" });
      const next = async (type: string) => (await client.next(type)).d ?? {};
      return { next, close: () => client.close() };
    },
  },
];

let server: StreamServer;
afterEach(endStreams);

function firstNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe.each([...WAYS])("by $name", ({ connect, openStuck, seq, isCutOff, openBoard }) => {
  const start = () => {
    server = startStreamServer();
    return server.sessions.add("one");
  };
  const open = async (after?: number) => {
    const cursor = after === undefined ? undefined : { epoch: 1, seq: after };
    return kept(await connect({ url: server.url, authorization: {}, id: "one" }, cursor));
  };
  const openSlow = async () => kept(await openStuck(server.port));
  const seqsIn = ({ text }: StuckClient) => [...text.matchAll(seq)].map(([, one]) => Number(one));

  test("a client resumes after its cursor, and once it goes the session is no longer listened to", async () => {
    const session = start();
    session.commit(10, 10, 10);
    const client = await open(2);
    await client.next(({ cursor }) => cursor?.seq === 3);
    expect(client.arrived().map(({ type, cursor }) => cursor?.seq ?? type)).toEqual(["resume", 3]);
    expect(session.listeners).toBe(1);
    client.close();
    await eventually(() => session.listeners === 0);
  });

  test("a client that does not read is sent no more than the sockets hold, and then goes on without a hole", async () => {
    const session = start();
    const stuck = await openSlow();
    await eventually(() => session.listeners === 1);
    for (let count = 0; count < 75; count++) session.commit(COMMIT_CHARS);
    stuck.read();
    await eventually(() => seqsIn(stuck).at(-1) === 75);
    expect(seqsIn(stuck)).toEqual(firstNumbers(75));
  });

  test("a client that does not read is cut off without a hole and resumes, while another one gets every frame", async () => {
    const session = start();
    const stuck = await openSlow();
    await eventually(() => session.listeners === 1);
    const reader = await open();
    for (let count = 1; session.listeners === 2; count++) {
      if (count > 10_000) throw new Error("it is never cut off");
      session.commit(COMMIT_CHARS);
      // A slow reader, as on a busy machine, would be cut off too.
      await reader.next(({ cursor }) => cursor?.seq === count);
    }
    stuck.read();
    await isCutOff(stuck);
    const seqs = seqsIn(stuck);
    const last = session.committed.length;
    expect(seqs).toEqual(firstNumbers(seqs.length));
    expect(seqs.length).toBeLessThan(last);
    const read = reader.arrived().flatMap(({ cursor }) => cursor?.seq ?? []);
    expect(read).toEqual(firstNumbers(last));
    const again = await open(seqs.length);
    const next = await again.next(({ cursor }) => cursor !== undefined);
    expect(next.cursor?.seq).toBe(seqs.length + 1);
  });

  test("the board begins with the list and the open prompts at once, goes on with the events of any session, and is left", async () => {
    start();
    const { sessions } = server;
    sessions.add("two").prompts.push({
      kind: "question",
      requestId: "request-1",
      toolName: "AskUserQuestion",
      questions: [],
      input: {},
    });
    const board = kept(await openBoard(server.url));
    expect(await board.next("sessions")).toMatchObject({
      sessions: [
        { id: "one", pending: 0 },
        { id: "two", pending: 1 },
      ],
      pending: [{ requestId: "request-1" }],
    });
    sessions.announce("one", "approval-requested", { requestId: "request-2" });
    const requested = { sessionId: "one", requestId: "request-2" };
    expect(await board.next("approval-requested")).toEqual(requested);
    expect(sessions.listeners).toBe(1);
    board.close();
    await eventually(() => sessions.listeners === 0);
  });
});
