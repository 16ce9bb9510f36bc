/** The stores of a client, over the real door and streams of the reference host. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { useSyncExternalStore } from "preact/compat";
import { StoreReader } from "../../../testing/drivers/store-reader.ts";
import { type HostClient, openHostClient } from "../../host-client.ts";
import { SeenFrames, until } from "../../transports/__tests__/support/seen-frames.ts";
import { TestHost, WAYS } from "../../transports/__tests__/support/test-host.ts";
import { ALL_SESSIONS, type Transport } from "../../transports/transport.ts";
import type { FollowedSession } from "../session-store.ts";

const isOpen = ({ phase }: FollowedSession) => phase === "open";
const isGone = ({ phase }: FollowedSession) => phase === "gone";

describe.each(WAYS)("%s", (way) => {
  let host: TestHost;
  let transport: Transport;
  let client: HostClient;
  let runs: (() => void)[];
  beforeEach(() => {
    host = new TestHost();
    transport = host.open(way);
    client = openHostClient(transport);
    runs = [];
  });
  afterEach(async () => {
    transport.close();
    await host.stop();
  });

  test("readers of one session share one subscription, which begins with the first and ends with the last", async () => {
    const session = client.session("one");
    expect(client.session("one")).toBe(session);
    expect(session.get().phase).toBe("loading");
    expect(host.session.listeners).toBe(0);
    const first = new StoreReader(session);
    const state = await first.until(isOpen);
    const second = new StoreReader(client.session("one"));
    expect(client.session("one").get()).toBe(state);
    host.session.commit(1);
    await second.until((changed) => changed !== state);
    expect([first.calls, second.calls, host.session.subscriptions]).toEqual([2, 1, 1]);
    first.stop();
    host.session.commit(1);
    const { calls } = second;
    await second.until(() => second.calls > calls);
    expect([first.calls, host.session.listeners]).toEqual([2, 1]);
    second.stop();
    await until(() => host.session.listeners === 0);
  });

  test("a reader that comes back has the last known state, and then the changes meanwhile", async () => {
    const session = client.session("one");
    const first = new StoreReader(session);
    const state = await first.until(isOpen);
    first.stop();
    await until(() => host.session.listeners === 0);
    host.session.title = "Other";
    expect(session.get()).toBe(state);
    const second = new StoreReader(session);
    const changed = await second.until((next) => next !== state);
    expect(changed).toMatchObject({ phase: "open", state: { title: "Other" } });
    second.stop();
  });

  test("the state is the same object until something has changed, and readers are called once for all of that", async () => {
    const scheduled = openHostClient(transport, { schedule: (run) => runs.push(run) });
    const session = scheduled.session("one");
    const reader = new StoreReader(session);
    await until(() => isOpen(session.get()));
    const state = session.get();
    expect(session.get()).toBe(state);
    host.session.commit(...Array.from({ length: 1_000 }, () => 1));
    await until(() => session.get().state.applied.seq === 1_000);
    expect([reader.calls, runs.length]).toEqual([0, 1]);
    for (const run of runs) run();
    expect(reader.calls).toBe(1);
    reader.stop();
  });

  test("a thousand entries call a reader far fewer times", async () => {
    const reader = new StoreReader(client.session("one"));
    await reader.until(isOpen);
    host.session.commit(...Array.from({ length: 1_000 }, () => 1));
    await reader.until(({ state }) => state.applied.seq === 1_000);
    expect(reader.calls).toBeLessThan(100);
    reader.stop();
  });

  test("a session that there is none of is gone, with the reason, and asked for again by the next reader", async () => {
    const session = client.session("two");
    const first = new StoreReader(session);
    const { error } = await first.until(isGone);
    expect(error).toMatchObject({ status: 404, code: "unknown_session" });
    first.stop();
    const second = new StoreReader(session);
    await second.until((state) => state.error !== error);
    second.stop();
  });

  test("a session that is deleted is gone, and its last state stays", async () => {
    const reader = new StoreReader(client.session("one"));
    const { state } = await reader.until(isOpen);
    host.session.announce("session_deleted");
    expect(await reader.until(isGone)).toEqual({ phase: "gone", state });
    reader.stop();
  });

  test("a command on a session has its id", async () => {
    await client.session("one").command("message", { message: "Hi" });
    expect(host.given.at(-1)?.fields).toEqual({ id: "one", message: "Hi" });
    await client.command("files", { id: "one", q: "a" });
    expect(host.given.at(-1)?.fields).toEqual({ id: "one", q: "a" });
  });

  test("a lost connection is reported, and readers go on after it without a gap", async () => {
    const connection = new StoreReader(client.connection);
    const [first, second] = [client.session("one"), client.session("one")].map(
      (session) => new StoreReader(session),
    );
    await first?.until(isOpen);
    await connection.until((status) => status === "connected");
    host.session.commit(1);
    await host.stop();
    await connection.until((status) => status === "connecting");
    host.session.commit(1, 1);
    host.start();
    await connection.until((status) => status === "connected");
    host.session.commit(1);
    for (const reader of [first, second])
      expect(await reader?.until(({ state }) => state.applied.seq === 4)).toBe(
        client.session("one").get(),
      );
    expect(host.session.listeners).toBe(1);
    for (const reader of [connection, first, second]) reader?.stop();
  });

  test("errors of who wants each frame or the status reach the program, and nobody else", async () => {
    const errors: unknown[] = [];
    using _ = spyOn(globalThis, "queueMicrotask").mockImplementation((run) => {
      try {
        run();
      } catch (error) {
        errors.push(error);
      }
    });
    const fail = () => {
      throw new Error("of a listener");
    };
    client.connection.subscribe(fail);
    client.onFrame("one", fail);
    const seen = new SeenFrames();
    client.onFrame("one", seen.take);
    await seen.until(({ types }) => types.includes("snapshot"));
    await host.restart();
    host.session.commit(1);
    await seen.until(({ seqs }) => seqs.length === 1);
    transport.close();
    await until(() => host.session.listeners === 0);
    expect(errors.length).toBeGreaterThanOrEqual(seen.frames.length + 3);
  });

  test("a follower of each frame shares the subscription of the readers, and gets the frames from then on", async () => {
    const session = client.session("one");
    const reader = new StoreReader(session);
    await reader.until(isOpen);
    const [seen, states] = [new SeenFrames(), new Set<FollowedSession>()];
    const stop = client.onFrame("one", (frame) => {
      states.add(session.get());
      seen.take(frame);
    });
    reader.stop();
    host.session.commit(1, 1);
    await seen.until(({ seqs }) => seqs.length === 2);
    expect([seen.types, states.size]).toEqual([["text_delta", "text_delta"], 2]);
    expect(host.session.listeners).toBe(1);
    const other = new SeenFrames();
    const stopOther = client.onFrame(ALL_SESSIONS, other.take);
    await other.until(({ types }) => types.includes("sessions"));
    host.announce("message-queued");
    await other.until(({ types }) => types.includes("message-queued"));
    stop();
    await until(() => host.session.listeners === 0);
    stopOther();
    expect([seen.frames.length, other.types]).toEqual([2, ["sessions", "message-queued"]]);
  });

  test("readers of the list share one subscription", async () => {
    const [first, second] = [new StoreReader(client.sessions), new StoreReader(client.sessions)];
    expect(client.sessions.get().isLoaded).toBe(false);
    const list = await first.until(({ isLoaded }) => isLoaded);
    expect(await second.until(({ isLoaded }) => isLoaded)).toBe(list);
    first.stop();
    host.announce("database_away");
    expect(await second.until(({ database }) => database !== undefined)).not.toBe(list);
    second.stop();
  });
});

test("subscribe and get of a store are the arguments of useSyncExternalStore", async () => {
  const host = new TestHost();
  const transport = host.open("http");
  const session = openHostClient(transport).session("one");
  type Read = Parameters<typeof useSyncExternalStore<FollowedSession>>;
  const [subscribe, get]: Read = [session.subscribe, session.get];
  const changed = Promise.withResolvers<void>();
  const stop = subscribe(changed.resolve);
  await changed.promise;
  expect(get()).toMatchObject({ phase: "open" });
  stop();
  transport.close();
  await host.stop();
});

test("one function may read twice, and one that another reader stops is not called", async () => {
  const host = new TestHost();
  const transport = host.open("http");
  const session = openHostClient(transport, { schedule: (run) => run() }).session("one");
  const calls: string[] = [];
  let stopLast = () => {};
  const twice = () => {
    calls.push("twice");
    stopLast();
  };
  const stops = [session.subscribe(twice), session.subscribe(twice)];
  stopLast = session.subscribe(() => calls.push("last"));
  await until(() => calls.length > 0);
  expect(calls).toEqual(["twice", "twice"]);
  stops[0]?.();
  stops[0]?.();
  host.session.commit(1);
  await until(() => calls.length > 2);
  expect(calls).toEqual(["twice", "twice", "twice"]);
  stops[1]?.();
  await until(() => host.session.listeners === 0);
  transport.close();
  await host.stop();
});
