/**
 * The database of a host is away while a Claude streams: it is stopped, killed, or behind a frozen network.
 */
import { afterAll, expect, test } from "bun:test";
import { BreakingProxy } from "../../../testing/drivers/breaking-proxy.ts";
import {
  type ControlledClaude,
  openFaultControl,
} from "../../../testing/drivers/controlled-claude.ts";
import type { EventReader, SentEvent } from "../../../testing/drivers/host-clients.ts";
import type { TestHost, TestHostSession } from "../../../testing/drivers/host-process.ts";
import { readyStatus } from "../../../testing/drivers/metrics.ts";
import { CRASH_SAFE } from "../../../testing/drivers/postgres-server.ts";
import { descendantsOf, isRunning, signalIfRunning } from "../../../testing/drivers/processes.ts";
import { areStill } from "../../../testing/drivers/silent-host.ts";
import { linkTo } from "../../link.ts";
import { readHostRecord } from "../../server/data-folder.ts";
import { at, SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open(CRASH_SAFE);
const proxy = await BreakingProxy.open(hosts.server.port);
afterAll(async () => {
  proxy.close();
  await hosts.end();
});

const behindProxy = {
  TUGTALK_DATABASE: hosts.url.replace(`:${hosts.server.port}/`, `:${proxy.port}/`),
};
const PUBLIC = "box.example";

function signalAll(signal: NodeJS.Signals): void {
  const { pid } = hosts.server;
  for (const one of [pid, ...descendantsOf(pid)]) signalIfRunning(one, signal);
}

type Way = readonly [
  how: string,
  leave: () => Promise<void> | void,
  comeBack: () => Promise<void> | void,
];

const WAYS: readonly Way[] = [
  ["is stopped", () => signalAll("SIGSTOP"), () => signalAll("SIGCONT")],
  ["is killed and started again", () => hosts.server.kill(), () => hosts.server.restart()],
  ["is behind connections that the network has frozen", () => proxy.freeze(), () => proxy.thaw()],
];

const LINE_CHARS = 10_000;
const LINE = { type: "made_up_news", count: "$count", padding: "x".repeat(LINE_CHARS) };
/** The most characters in host, bridge, Claude and all pipes between them. */
const MAX_HELD_CHARS = 16 * 1024 * 1024;

type World = {
  readonly host: TestHost;
  readonly session: TestHostSession;
  readonly events: EventReader;
  readonly board: EventReader;
  readonly claude: ControlledClaude;
  readonly close: () => void;
};

/** Hosts with a Claude that streams numbers without end. */
async function openWorld(lease: string): Promise<World> {
  const args = [`--lease=${lease}`, `--public-url=https://${PUBLIC}`];
  const host = await hosts.start({ args, env: behindProxy });
  const control = openFaultControl();
  const options = { shutdown_grace_ms: 100 };
  const created = host.createSession({ claudeEnv: control.env, options });
  const claude = await control.first;
  await claude.apply({ order: "listen" });
  const session = await created;
  const [events, board] = [await session.events(), await host.events("/api/events")];
  await claude.apply({ order: "flood", line: LINE });
  await events.next("unknown_event");
  return { host, session, events, board, claude, close: control.close };
}

const isAway =
  (claudesEnded: boolean) =>
  ({ type, data }: SentEvent) =>
    type === "database_away" && data["claudes_ended"] === claudesEnded;

function countsOf(events: readonly SentEvent[]): readonly number[] {
  return events
    .filter(({ type }) => type === "unknown_event")
    .map(({ data }) => Number(Object(data["raw"]).count));
}

const upTo = (length: number) => Array.from({ length }, (_, count) => count);

async function untilHeldUp({ claude }: World): Promise<number> {
  for (let before = -1; ; ) {
    const count = await claude.countFlood();
    if (count === before) return count;
    before = count;
    await areStill(claude.pid, claude.parent);
  }
}

async function expectAllRefused({ host, session }: World): Promise<void> {
  const away = { status: 503, body: { code: "database_away" } };
  for (const [command, fields] of [
    ["sessions", {}],
    ["search", { q: "anything" }],
    ["costs", {}],
    ["create", { dir: session.dir, trust: true }],
  ] as const)
    expect(await host.run(command, fields), command).toMatchObject(away);
  for (const [command, fields] of [
    ["session", {}],
    ["snapshot", {}],
    ["turns", {}],
    ["pending", {}],
    ["message", { message: "anybody?" }],
    ["approve", { request_id: "r", decision: "allow" }],
    ["answer", { request_id: "r", answers: {} }],
    ["interrupt", {}],
    ["update", { title: "New" }],
    ["export", {}],
    ["delete", {}],
  ] as const)
    expect(await session.run(command, fields), command).toMatchObject(away);
  const record = readHostRecord(host.dataDir);
  if (record === undefined) throw new Error("the host does not run");
  const link = new URL(linkTo(record, Date.now())).search;
  const signIn = await fetch(`${host.url}/${link}`, { headers: { host: PUBLIC } });
  expect(signIn.status).toBe(503);
  expect((await session.events()).status).toBe(503);
  expect(await readyStatus(host)).toBe(503);
  expect(await host.run("health")).toMatchObject({ status: 200 });
}

test.each(WAYS)(
  "a database that %s for less than a lease: Claude's messages are held within bounds, clients learn it, commands are refused, and when it is back all goes on",
  async (_, leave, comeBack) => {
    const world = await openWorld("18");
    const { host, session, events, board, claude } = world;
    await leave();
    const leftAt = performance.now();
    await Promise.all([events.next(isAway(false)), board.next(isAway(false))]);
    const toldMs = performance.now() - leftAt;
    const said = await untilHeldUp(world);
    const held = (said - countsOf(events.events).length) * LINE_CHARS;
    await expectAllRefused(world);
    const late = await host.events("/api/events");
    expect(await late.next(isAway(false))).toBeDefined();
    await comeBack();
    await Promise.all([events, board, late].map((one) => one.next("database_back")));
    await claude.apply({ order: "stop_flood" });
    const length = await claude.countFlood();
    if (process.env["FIGURES"]) console.log({ toldMs, heldChars: held, length });
    expect(held).toBeLessThan(MAX_HELD_CHARS);
    await events.next(({ data }) => Object(data["raw"]).count === String(length - 1));
    expect(countsOf(events.events)).toEqual(upTo(length));
    const watcher = await hosts.start();
    const there = await at(watcher, session).events();
    await there.next(({ data }) => Object(data["raw"]).count === String(length - 1));
    expect(countsOf(there.events)).toEqual(upTo(length));
    expect(isRunning(claude.pid)).toBe(true);
    expect(await session.message("go on")).toMatchObject({ status: 200 });
    await claude.hasHeard("go on");
    world.close();
    await Promise.all([host.stop(), watcher.stop()]);
    const logged = await host.stderr;
    expect(logged).toContain("the database cannot be reached: commands are refused");
    expect(logged).toContain("the database is reached again");
  },
  120_000,
);

test.each(WAYS)(
  "a database that %s for longer than a lease: Claude is ended before it is over, clients learn it, and the session goes on when it is back",
  async (_, leave, comeBack) => {
    const world = await openWorld("6");
    const { host, session, events, board, claude } = world;
    await leave();
    const leftAt = performance.now();
    await Promise.all([events.next(isAway(true)), board.next(isAway(true))]);
    const toldMs = performance.now() - leftAt;
    while (isRunning(claude.pid)) await Bun.sleep(5);
    const endedMs = performance.now() - leftAt;
    if (process.env["FIGURES"]) console.log({ toldMs, endedMs });
    // The last renewal of the lease is no later than that.
    expect(endedMs).toBeLessThan(6_000);
    await comeBack();
    await Promise.all([events, board].map((one) => one.next("database_back")));
    const known = countsOf(events.events).length;
    expect((await session.message("go on")).status).toBe(200);
    await events.next("message_sent");
    await events.next("turn_complete");
    const counts = countsOf(events.events);
    expect(counts).toEqual(upTo(counts.length));
    expect(counts.length).toBeGreaterThanOrEqual(known);
    world.close();
    await host.stop();
    expect(await host.stderr).toContain("its Claudes were ended");
  },
  120_000,
);
