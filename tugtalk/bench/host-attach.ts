/**
 * A page that opens a session of 100,000 messages. The figures are its waits for the latest turns, on a
 * running host and after a kill and a restart, and for a page of older turns.
 */
import { z } from "zod";
import type { TestHost } from "../testing/drivers/host-process.ts";
import { residentMegabytes } from "../testing/drivers/silent-host.ts";
import { emitted, exactly, type Finding, fastEnough, median, report, sized } from "./findings.ts";
import { bytesIn } from "./process-costs.ts";
import type { StreamPlan } from "./streamed-turns.ts";
import { streamToClients, withStreamingHost } from "./streaming-host.ts";

/** 62 messages in each turn. */
const PLAN: StreamPlan = { turns: sized(1620, 162), deltas: 40, chars: 40, tools: 4, perSecond: 0 };
const MESSAGES = sized(100_000, 10_000);
const LIMIT_MS = 300;
const ATTEMPTS = sized(20, 5);
/** The number of turns in a snapshot. */
const LATEST_TURNS = 50;

const Page = z.object({
  entries: z.array(z.object({ kind: z.string() })),
  before: z.string().optional(),
});

/** The time to connect, subscribe and get the snapshot, in ms. */
async function attachTime(host: TestHost, s: string): Promise<number> {
  const start = performance.now();
  const socket = await host.socket();
  void socket.run("subscribe", { s });
  await socket.next("snapshot");
  const time = performance.now() - start;
  socket.close();
  return time;
}

async function attachTimes(host: TestHost, session: string): Promise<number[]> {
  const times: number[] = [];
  while (times.length < ATTEMPTS) times.push(await attachTime(host, session));
  return times;
}

/** Reads page by page, like a person who scrolls up to the beginning. */
async function olderTurns(host: TestHost, id: string, before: string | undefined) {
  const read = { pages: 0, turns: 0, slowest: 0 };
  for (let next = before; next !== undefined; ) {
    const start = performance.now();
    const page = Page.parse((await host.run("turns", { id, before: next, limit: 50 })).body);
    read.slowest = Math.max(read.slowest, performance.now() - start);
    read.pages += 1;
    read.turns += page.entries.filter(({ kind }) => kind === "turn").length;
    next = page.before;
  }
  return read;
}

async function measure(host: TestHost): Promise<Finding[]> {
  const session = await host.createSession();
  const { id } = session;
  const small = await host.createSession();
  const { ms } = await streamToClients(host, [session], PLAN);
  const { body } = await host.run("snapshot", { id });
  const { cursor, before } = body as { cursor: { seq: number }; before?: string };
  const warm = await attachTimes(host, id);
  const empty = await attachTimes(host, small.id);
  const memory = residentMegabytes(host.pid);
  const startedAt = performance.now();
  await host.restart();
  const restart = performance.now() - startedAt;
  const cold = await attachTime(host, id);
  const older = await olderTurns(host, id, before);
  return [
    emitted("entries in the journal", cursor.seq),
    exactly(`as many as ${MESSAGES}, or more`, cursor.seq >= MESSAGES, true),
    emitted("messages a second while it was written", ((cursor.seq * 1000) / ms).toFixed(0)),
    emitted("journal, bytes a message", (bytesIn(host.dataDir) / cursor.seq).toFixed(0)),
    emitted("journal, kB a turn", (bytesIn(host.dataDir) / PLAN.turns / 1000).toFixed(1)),
    emitted("memory of the host, MB", memory.toFixed(0)),
    emitted("the first page, kB", (JSON.stringify(body).length / 1000).toFixed(0)),
    emitted("an empty session, ms", median(empty).toFixed(1)),
    fastEnough(`the first page, median of ${ATTEMPTS}`, median(warm), LIMIT_MS, "ms"),
    fastEnough("the first page, at most", Math.max(...warm), LIMIT_MS, "ms"),
    emitted("the start of the host, ms", restart.toFixed(0)),
    fastEnough("the first page after that", cold, LIMIT_MS, "ms"),
    fastEnough(
      `a page of older turns, the slowest of ${older.pages}`,
      older.slowest,
      LIMIT_MS,
      "ms",
    ),
    exactly("turns in all pages", older.turns + LATEST_TURNS, PLAN.turns),
  ];
}

report(`a session of ${MESSAGES} messages`, await withStreamingHost(measure));
