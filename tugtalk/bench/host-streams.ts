/**
 * Fifty sessions that stream at once, with one client each: the cost for the host, with one bridge for all
 * and with one for each. The bridges are stand-ins, so that only the host is measured. `host-sessions.ts`
 * prints the cost of a session's processes.
 */
import type { TestHost, TestHostSession } from "../testing/drivers/host-process.ts";
import { emitted, type Finding, fastEnough, report, sized } from "./findings.ts";
import type { StreamPlan } from "./streamed-turns.ts";
import { delivered, type Streamed, streamToClients, withStreamingHost } from "./streaming-host.ts";

const SESSIONS = sized(50, 10);
/** About a model's speed, for five seconds; for one in the short form. */
const PLAN: StreamPlan = { turns: 1, deltas: sized(200, 40), chars: 40, tools: 4, perSecond: 40 };

/** The most processor time for a frame, on two idle cores. */
const LIMIT_US = 300;

async function measure(host: TestHost): Promise<Streamed> {
  const sessions: TestHostSession[] = [];
  while (sessions.length < SESSIONS) sessions.push(await host.createSession());
  return await streamToClients(host, sessions, PLAN);
}

function figuresOf(name: string, { watched, ms, cpuMs, idleMb, peakMb }: Streamed): Finding[] {
  const delay = [watched.p50Ms, watched.p99Ms, watched.maxMs].map((value) => value.toFixed(1));
  const memory = [idleMb, peakMb].map((value) => value.toFixed(0));
  return [
    emitted(`${name}: frames`, watched.frames),
    emitted(`${name}: from bridge to client, ms at 50 %, 99 %, 100 %`, delay.join(", ")),
    emitted(`${name}: of one processor`, `${((cpuMs / ms) * 100).toFixed(0)} %`),
    fastEnough(
      `${name}: processor time for a frame, µs`,
      (cpuMs * 1000) / watched.frames,
      LIMIT_US,
      "µs",
    ),
    emitted(`${name}: memory with idle sessions, and at most, MB`, memory.join(", ")),
  ];
}

const host = await withStreamingHost(measure);
const isolated = await withStreamingHost(measure, "--isolate");
report(`${SESSIONS} sessions, each with a client and ${PLAN.perSecond} pieces of text a second`, [
  ...figuresOf("host", host),
  ...figuresOf("host with --isolate", isolated),
  ...delivered([host, isolated], SESSIONS * PLAN.deltas),
]);
