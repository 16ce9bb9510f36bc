/** The stores of `tugtalk/client` at a host, with a stand-in Claude. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  type HostAddress,
  type HostClient,
  openHostClient,
  openHttpTransport,
  openWebSocketTransport,
  type ReducedSession,
  type Transport,
} from "../../client/client.ts";
import { blockStop, messageStart, textDelta, textStart } from "../../simulator/stream-events.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { untilMetric } from "../../testing/drivers/metrics.ts";
import { StoreReader } from "../../testing/drivers/store-reader.ts";
import { event, OPENING, out, RESULT } from "../../testing/drivers/written-conversation.ts";

const host = await startHost();
afterAll(endHosts);

const WAYS: readonly [string, (address: HostAddress) => Transport][] = [
  ["web socket", openWebSocketTransport],
  ["http", openHttpTransport],
];

const DELTAS = 1_000;

/** A turn that streams a text in many pieces. */
const STREAMING = [
  ...OPENING,
  event(messageStart("m1")),
  event(textStart()),
  ...Array.from({ length: DELTAS }, (_, number) => event(textDelta(`${number} `))),
  event(blockStop()),
  event({ type: "message_stop" }),
  out(RESULT),
];

function endedTurns({ entries, openEntries }: ReducedSession): number {
  const all = [...entries, ...openEntries];
  return all.filter((entry) => entry.kind === "turn" && entry.end !== undefined).length;
}

describe.each([...WAYS])("%s", (_, open) => {
  let transport: Transport;
  let client: HostClient;
  beforeEach(() => {
    transport = open({ url: host.url, token: host.token });
    client = openHostClient(transport);
  });
  afterEach(() => transport.close());

  test("two readers of a session see the same turn, and go on after the host was killed", async () => {
    const { id } = await host.createSession();
    const [first, second] = [
      new StoreReader(client.session(id)),
      new StoreReader(client.session(id)),
    ];
    await first.until(({ phase }) => phase === "open");
    await client.session(id).command("message", { message: "One" });
    await first.until(({ state }) => endedTurns(state) === 1);
    await host.restart();
    await client.command("message", { id, message: "Two", client_msg_id: "two" });
    const { state } = await second.until((seen) => endedTurns(seen.state) === 2);
    await first.until((seen) => seen.state === state);
    first.stop();
    await client.command("delete", { id, keep: true });
    await second.until((seen) => seen.state.status === "exited");
    const { state: kept } = await client.command("snapshot", { id });
    expect(client.session(id).get().state).toEqual(kept);
    second.stop();
  });

  test("a text in a thousand pieces calls a reader far fewer times", async () => {
    const { id } = await host.createSession({ conversation: STREAMING });
    const late: (() => void)[] = [];
    const store = openHostClient(transport, { schedule: (run) => late.push(run) }).session(id);
    const reader = new StoreReader(store);
    await client.command("message", { id, message: "Go on" });
    while (endedTurns(store.get().state) === 0) await new Promise((done) => setImmediate(done));
    for (const run of late) run();
    expect(store.get().state.applied.seq).toBeGreaterThan(DELTAS);
    expect([reader.calls, late.length]).toEqual([1, 1]);
    reader.stop();
  });

  test("the list shows a new session and its prompt", async () => {
    const reader = new StoreReader(client.sessions);
    await reader.until(({ isLoaded }) => isLoaded);
    const { id } = await host.createSession();
    await reader.until(({ sessions }) => sessions.some((session) => session.id === id));
    await client.command("delete", { id });
    await reader.until(({ sessions }) => sessions.every((session) => session.id !== id));
    reader.stop();
  });
});

test("two readers of a session are one stream of events at the host, which ends with the last", async () => {
  const transport = openHttpTransport({ url: host.url, token: host.token });
  const client = openHostClient(transport);
  const { id } = await host.createSession();
  const streams = 'tugtalk_streams{kind="events"}';
  await untilMetric(host, streams, (count) => count === 0);
  const [first, second] = [
    new StoreReader(client.session(id)),
    new StoreReader(client.session(id)),
  ];
  await second.until(({ phase }) => phase === "open");
  await untilMetric(host, streams, (count) => count === 1);
  first.stop();
  await client.command("update", { id, title: "Other" });
  await second.until(({ state }) => state.title === "Other");
  second.stop();
  await untilMetric(host, streams, (count) => count === 0);
  expect(transport.status).toBe("connected");
  transport.close();
});
