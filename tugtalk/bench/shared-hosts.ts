/**
 * Hosts that share a PostgreSQL database beside hosts with a file each. The figures are the delay
 * from a bridge to a client of the host that holds the session, and of another host. Also the
 * processor time of an entry, and the first page of a board of 10,000 sessions. The bridges are
 * stand-ins.
 */
import { availableParallelism } from "node:os";
import { SQL } from "bun";
import { z } from "zod";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../testing/drivers/host-process.ts";
import { DURABLE, PostgresServer } from "../testing/drivers/postgres-server.ts";
import { flushMs } from "./disk-flush.ts";
import { emitted, type Finding, fastEnough, report, sized, sum } from "./findings.ts";
import { cpuMs, familyCpuMs, startProcessorsWatch } from "./process-costs.ts";
import { boardOf } from "./shared-board.ts";
import type { StreamPlan } from "./streamed-turns.ts";
import { delivered, STREAMING_BRIDGE, type Streamed, streamToClients } from "./streaming-host.ts";

/** Pieces of text a second of each streaming session. */
const FAST = 40;
/** The pace of the slow turns in the captures, whose scripted API waits 60 ms between pieces. */
const AS_CAPTURED = 16;
const SECONDS = sized(5, 0.5);
const HOSTS = 3;
const AT_EACH = sized(50, 5);
/** The most that the database may add to the median at the session's holder, and the most delay elsewhere. */
const LIMIT_ADDED_MS = 3;
const LIMIT_ELSEWHERE_MS = 50;
/**
 * A load is saturated from this share of the processors on, or if less than the second share of it arrives.
 */
const SATURATED = 0.95;
const CARRIED = 0.9;

/** The number of hosts, of sessions at each of them, and of pieces of text a second in each session. */
type Load = { readonly hosts: number; readonly sessions: number; readonly perSecond: number };

const WHOLE: Load = { hosts: HOSTS, sessions: AT_EACH, perSecond: FAST };
const LOADS: readonly Load[] = [
  { hosts: 1, sessions: 1, perSecond: FAST },
  { hosts: 1, sessions: AT_EACH, perSecond: FAST },
  { ...WHOLE, perSecond: AS_CAPTURED },
  WHOLE,
];

const SESSIONS = z.object({ sessions: z.array(z.object({ id: z.string() })) });

function nameOf({ hosts, sessions, perSecond }: Load): string {
  const count = hosts === 1 ? String(sessions) : `${hosts} × ${sessions}`;
  return `${count} at ${perSecond}/s`;
}

function planOf({ perSecond }: Load): StreamPlan {
  return { turns: 1, deltas: SECONDS * perSecond, chars: 40, tools: 4, perSecond };
}

/** The hosts of one kind, and the processor time of their database so far. */
type Side = {
  readonly hosts: readonly TestHost[];
  readonly databaseMs: () => number;
  /** Has the database analyze its tables. */
  readonly analyze: () => Promise<void>;
};

type Run = {
  readonly streams: readonly Streamed[];
  readonly entries: number;
  /** Until the last client has got the end. */
  readonly ms: number;
  /** Processor time, in ms. */
  readonly spent: Readonly<Record<Spender, number>>;
  /** The share of all processors that was busy, with any work. */
  readonly busy: number;
};

const SPENDERS = ["hosts", "database", "bridges", "clients"] as const;
type Spender = (typeof SPENDERS)[number];

async function sessionsAt(host: TestHost, count: number): Promise<readonly TestHostSession[]> {
  const sessions: TestHostSession[] = [];
  while (sessions.length < count) sessions.push(await host.createSession());
  return sessions;
}

function hostAt(hosts: readonly TestHost[], at: number): TestHost {
  const host = hosts[at % hosts.length];
  if (host === undefined) throw new Error("there is no host");
  return host;
}

/** Streams at these hosts at once. The clients are at another host, this number further on. */
async function run(
  { hosts, databaseMs, analyze }: Side,
  load: Load,
  further: number,
): Promise<Run> {
  const loaded = hosts.slice(0, load.hosts);
  const sessions = await Promise.all(loaded.map((host) => sessionsAt(host, load.sessions)));
  const meters = { hosts: meterOf(hosts, cpuMs), families: meterOf(hosts, familyCpuMs) };
  const databaseBefore = databaseMs();
  const busyShare = startProcessorsWatch();
  const streams = await Promise.all(
    sessions.map((own, at) => streamToClients(hostAt(hosts, at + further), own, planOf(load))),
  );
  const busy = busyShare();
  const hostsMs = meters.hosts();
  const spent = {
    hosts: hostsMs,
    database: databaseMs() - databaseBefore,
    bridges: meters.families() - hostsMs,
    clients: sum(streams.map(({ watched }) => watched.cpuMs)),
  };
  for (const session of sessions.flat()) await session.run("update", { archived: true });
  await analyze();
  const entries = sum(streams.map(({ watched }) => watched.frames));
  return { streams, entries, ms: Math.max(...streams.map(({ ms }) => ms)), spent, busy };
}

/** Starts to measure the processor time of the hosts. Gives a function that returns it in ms. */
function meterOf(hosts: readonly TestHost[], msOf: (pid: number) => number): () => number {
  const spent = () => sum(hosts.map(({ pid }) => msOf(pid)));
  const before = spent();
  return () => spent() - before;
}

/** The delay of the worst host. */
function delay({ streams }: Run, of: "p50Ms" | "p99Ms"): number {
  return Math.max(...streams.map(({ watched }) => watched[of]));
}

/** The entries that came in a second, and those that would have come without any delay. */
function ratesOf({ entries, ms }: Run) {
  const offered = entries / SECONDS;
  return { carried: Math.min((entries * 1000) / ms, offered), offered };
}

/**
 * Whether the load is saturated. Then the queue grows as long as the load lasts, and its delay only shows
 * that time.
 */
function isSaturated(one: Run): boolean {
  const { carried, offered } = ratesOf(one);
  return one.busy >= SATURATED || carried < offered * CARRIED;
}

/** The share of all processors that hosts, database, bridges and clients used. */
function ownShareOf({ spent, ms }: Run): number {
  return sum(Object.values(spent)) / (ms * availableParallelism());
}

function figuresOf(name: string, one: Run): readonly Finding[] {
  const { carried, offered } = ratesOf(one);
  const delays = [delay(one, "p50Ms"), delay(one, "p99Ms")].map((ms) => ms.toFixed(1));
  const times = SPENDERS.map(
    (who) => `${who} ${((one.spent[who] * 1000) / one.entries).toFixed(0)}`,
  );
  const busy = [one.busy, ownShareOf(one)].map((share) => `${(share * 100).toFixed(0)} %`);
  const end = isSaturated(one) ? "; SATURATED: its delays are those of a queue" : "";
  return [
    emitted(`${name}: from bridge to client, ms at 50 %, 99 %`, delays.join(", ")),
    emitted(
      `${name}: load, entries a second`,
      `${carried.toFixed(0)} of ${offered.toFixed(0)} offered`,
    ),
    emitted(`${name}: of all processors, busy, by all and by this`, `${busy.join(", ")}${end}`),
    emitted(`${name}: processor time for an entry, µs`, times.join(", ")),
  ];
}

async function streamFindings(file: Side, shared: Side, load: Load): Promise<readonly Finding[]> {
  const alone = await run(file, load, 0);
  const held = await run(shared, load, 0);
  const elsewhere = await run(shared, load, 1);
  const added = delay(held, "p50Ms") - delay(alone, "p50Ms");
  const far = delay(elsewhere, "p50Ms") - delay(alone, "p50Ms");
  const name = nameOf(load);
  const pieces = load.sessions * planOf(load).deltas;
  const runs = [alone, held, elsewhere].flatMap(({ streams }) => streams);
  return [
    ...figuresOf(`${name}, SQLite`, alone),
    ...figuresOf(`${name}, PostgreSQL, at the holder`, held),
    ...figuresOf(`${name}, PostgreSQL, at another host`, elsewhere),
    fastEnough(`${name}: added at the median, at the holder`, added, LIMIT_ADDED_MS, "ms"),
    fastEnough(`${name}: at another host`, far, LIMIT_ELSEWHERE_MS, "ms"),
    ...delivered(runs, pieces, `${name}: `),
  ];
}

async function started(
  environment: Readonly<Record<string, string>>,
): Promise<readonly TestHost[]> {
  const hosts: TestHost[] = [];
  const env = { TUGTALK_BRIDGE: STREAMING_BRIDGE, ...environment };
  while (hosts.length < HOSTS) hosts.push(await startHost({ env, hasFile: true }));
  return hosts;
}

async function deleteAll(host: TestHost): Promise<void> {
  const { body } = await host.run("sessions");
  for (const { id } of SESSIONS.parse(body).sessions) await host.run("delete", { id });
}

/**
 * The server analyzes its tables by itself within a minute, and then plans its statements for filled tables.
 */
async function analyze(url: string): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe("ANALYZE");
  await sql.close();
}

async function measure(server: PostgresServer): Promise<readonly Finding[]> {
  const url = await server.newDatabase();
  const file: Side = { hosts: await started({}), databaseMs: () => 0, analyze: async () => {} };
  const databaseMs = () => familyCpuMs(server.pid);
  const sharing = await started({ TUGTALK_DATABASE: url });
  const shared: Side = { hosts: sharing, databaseMs, analyze: () => analyze(url) };
  const findings = [emitted("a flush of the disk, ms at 50 %", flushMs().toFixed(2))];
  // The first run compiles code, which is no part of the load.
  await run(file, WHOLE, 0);
  await run(shared, WHOLE, 0);
  await run(shared, WHOLE, 1);
  for (const load of LOADS) findings.push(...(await streamFindings(file, shared, load)));
  for (const host of [...file.hosts, ...shared.hosts]) {
    await deleteAll(host);
    await host.kill();
  }
  const [ofFile, ofDatabase] = [hostAt(file.hosts, 0), hostAt(shared.hosts, 0)];
  return [...findings, ...(await boardOf(ofFile, ofDatabase, url))];
}

const server = await PostgresServer.start(DURABLE);
try {
  const title = `hosts that share a database: sessions that all stream for ${SECONDS} s, with a client each`;
  report(title, await measure(server));
} finally {
  await endHosts();
  await server.stop();
}
