/** Transports whose connection is cut, mute, refused or not to be had. */
import { afterEach, describe, expect, test } from "bun:test";
import { ProxiedHost, slowly } from "../../../testing/drivers/proxied-host.ts";
import { openHttpTransport } from "../http-transport.ts";
import type { CommandError, HostAddress, Transport, TransportStatus } from "../transport.ts";
import { openWebSocketTransport } from "../web-socket-transport.ts";
import { RawHost, type RawOptions } from "./support/raw-host.ts";
import { refusalOf } from "./support/refusal.ts";
import { SeenFrames, until } from "./support/seen-frames.ts";
import { TestHost } from "./support/test-host.ts";

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function startHost(): TestHost {
  const host = new TestHost();
  ends.unshift(() => host.stop());
  return host;
}

function startRawHost(options?: RawOptions): RawHost {
  const host = new RawHost(options);
  ends.unshift(() => host.stop());
  return host;
}

const OPENERS = { "web socket": openWebSocketTransport, http: openHttpTransport };

describe.each(["web socket", "http"] as const)("%s", (way) => {
  function open(address: HostAddress): Transport {
    const transport = OPENERS[way](address);
    ends.unshift(() => transport.close());
    return transport;
  }

  test("over cut connections every frame comes once and in order", async () => {
    const host = startHost();
    const seen = new SeenFrames();
    open(host.address).subscribe("one", { after: 0 }, seen.take);
    for (const round of [1, 2, 3]) {
      host.session.commit(1, 1, 1);
      await seen.until(({ seqs }) => seqs.length >= 5 * round - 2);
      await host.stop();
      host.session.commit(1, 1);
      host.start();
    }
    await seen.until(({ seqs }) => seqs.length >= 15);
    expect(seen.seqs).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
    const verdicts = seen.frames.filter(({ t }) => t === "resume").map(({ d }) => d);
    expect(verdicts).toHaveLength(4);
    expect(verdicts.at(-1)).toEqual({ result: "ok", from: { epoch: 1, seq: 13 } });
  });

  test("a connection that is cut after a snapshot resumes after it", async () => {
    const host = startHost();
    host.session.commit(1, 1);
    const seen = new SeenFrames();
    open(host.address).subscribe("one", {}, seen.take);
    await seen.until(({ types }) => types.includes("snapshot"));
    await host.restart();
    await seen.until(({ frames }) => frames.length === 3);
    expect(seen.frames[2]?.d).toEqual({ result: "ok", from: { epoch: 1, seq: 2 } });
  });

  test("a large snapshot on a slow line comes as one frame, over one connection, although it takes longer than silence may", async () => {
    const host = startHost();
    host.session.title = "x".repeat(15 * 1024 * 1024);
    const proxy = await ProxiedHost.open(host.port, slowly(100_000));
    ends.unshift(() => proxy.close());
    const seen = new SeenFrames();
    const pingMs = 200;
    open({ ...host.address, url: proxy.url, pingMs }).subscribe("one", {}, seen.take);
    const begun = performance.now();
    await seen.until(({ types }) => types.includes("snapshot"));
    expect(performance.now() - begun).toBeGreaterThan(3 * pingMs);
    expect(seen.types).toEqual(["resume", "snapshot"]);
    expect(JSON.stringify(seen.frames[1]?.d).length).toBeGreaterThan(15 * 1024 * 1024);
    expect(proxy.connections).toBe(1);
  });

  test("a journal that was trimmed meanwhile gives a gap and a snapshot", async () => {
    const host = startHost();
    host.session.commit(1, 1);
    const seen = new SeenFrames();
    open(host.address).subscribe("one", {}, seen.take);
    await seen.until(({ types }) => types.includes("snapshot"));
    host.session.trim(1);
    await host.restart();
    await seen.until(({ frames }) => frames.length === 4);
    expect(seen.types).toEqual(["resume", "snapshot", "resume", "snapshot"]);
  });

  test("a session that was deleted meanwhile ends its subscription with the refusal", async () => {
    const host = startHost();
    const seen = new SeenFrames();
    const refused = Promise.withResolvers<CommandError>();
    open(host.address).subscribe("one", { onRefused: refused.resolve }, seen.take);
    await seen.until(({ types }) => types.includes("snapshot"));
    host.isDeleted = true;
    await host.restart();
    expect((await refused.promise).status).toBe(404);
  });

  test("a command that was not answered when the connection was cut is rejected and never sent again", async () => {
    const host = startHost();
    const transport = open(host.address);
    const refused = refusalOf(transport.command("health"));
    await until(() => host.given.length === 1);
    await host.stop();
    const { status, code } = await refused;
    expect({ status, code }).toEqual({ status: 0, code: "disconnected" });
    host.start();
    await transport.command("sessions");
    expect(host.given.map(({ name }) => name)).toEqual(["health", "sessions"]);
  });

  test("a command without a host is rejected, and the next one tries anew at once", async () => {
    const host = startHost();
    await host.stop();
    const transport = open(host.address);
    expect((await refusalOf(transport.command("sessions"))).code).toBe("disconnected");
    host.start();
    expect(await transport.command("sessions")).toMatchObject({ title: "One" });
  });

  test("the status reports a lost connection and the next one", async () => {
    const host = startHost();
    const transport = open(host.address);
    const seen = new SeenFrames();
    transport.subscribe("one", {}, seen.take);
    await seen.until(({ types }) => types.includes("snapshot"));
    const statuses: TransportStatus[] = [transport.status];
    const stop = transport.onStatus((status) => statuses.push(status));
    await host.restart();
    await seen.until(({ frames }) => frames.length === 3);
    expect(statuses).toEqual(["connected", "connecting", "connected"]);
    stop();
    await host.stop();
    await until(() => transport.status === "connecting");
    expect(statuses).toHaveLength(3);
  });

  test("a connection without signs of life is given up for another one", async () => {
    const host = startRawHost();
    open(host.address).subscribe("one", {}, () => {});
    await until(() => host.connections === 2);
  });

  test("a connection with signs of life only is kept", async () => {
    const host = startRawHost({ pingMs: 20 });
    const transport = open(host.address);
    transport.subscribe("one", {}, () => {});
    await until(() => host.connections === 1 && transport.status === "connected");
    const statuses: TransportStatus[] = [];
    transport.onStatus((status) => statuses.push(status));
    await until(() => host.pings === 20);
    expect(statuses).toEqual([]);
  });
});

test("http: a stream that the host cannot serve at the moment is tried again", async () => {
  const host = startRawHost({ pingMs: 20, refusals: [503, 429] });
  const transport = openHttpTransport(host.address);
  ends.unshift(() => transport.close());
  const refused: CommandError[] = [];
  transport.subscribe("one", { onRefused: (error) => refused.push(error) }, () => {});
  await until(() => host.connections === 3 && transport.status === "connected");
  expect(refused).toEqual([]);
});

test("http: a wrong token refuses commands and subscriptions with 401", async () => {
  const host = startHost();
  const transport = openHttpTransport({ ...host.address, token: "wrong" });
  ends.unshift(() => transport.close());
  expect((await refusalOf(transport.command("sessions"))).status).toBe(401);
  const refused = Promise.withResolvers<CommandError>();
  transport.subscribe("one", { onRefused: refused.resolve }, () => {});
  expect((await refused.promise).code).toBe("unauthorized");
});

test("web socket: without being let in it stays unconnected, and commands are rejected", async () => {
  const host = startHost();
  const transport = openWebSocketTransport({ ...host.address, token: "wrong" });
  ends.unshift(() => transport.close());
  expect((await refusalOf(transport.command("sessions"))).code).toBe("disconnected");
  expect(transport.status).toBe("connecting");
});

test("web socket: none is opened before the check finds the host, and commands wait for it", async () => {
  const host = startHost();
  const answers = [false, false, true];
  const opened: number[] = [];
  const transport = openWebSocketTransport({
    ...host.address,
    isHost: async () => {
      opened.push(host.given.length);
      return answers.shift() ?? true;
    },
  });
  ends.unshift(() => transport.close());
  const seen = new SeenFrames();
  host.session.commit(1, 1);
  transport.subscribe("one", { after: 0 }, seen.take);
  expect(await refusalOf(transport.command("sessions"))).toMatchObject({ code: "disconnected" });
  await seen.until(({ seqs }) => seqs.length === 2);
  expect(answers).toEqual([]);
  // No command had reached the host while it was not known to be there.
  expect(opened).toEqual([0, 0, 0]);
});

test("web socket: one that is closed while it is asked whether the host is there is never opened", async () => {
  const host = startRawHost();
  const asked = Promise.withResolvers<boolean>();
  const transport = openWebSocketTransport({ ...host.address, isHost: () => asked.promise });
  transport.close();
  asked.resolve(true);
  await asked.promise;
  expect(transport.status).toBe("closed");
  expect(host.connections).toBe(0);
});
