/**
 * Fifty sessions that stream at once, with one client each: what the host takes for it, with one bridge
 * for all and with one for each, beside the floor of relay.ts. The bridges are stand-ins, so that the host
 * is what is measured; what the processes of a session take is printed by host-sessions.ts.
 */
import { sized } from "./bench-size.ts";
import { openClients, type Watched } from "./client-load.ts";
import { emitted, exactly, type Finding, fastEnough, report } from "./findings.ts";
import { type LoadTarget, startHostTarget, startRelayTarget } from "./load-targets.ts";
import { MemoryWatch } from "./memory-watch.ts";
import { cpuMs } from "./process-costs.ts";
import type { StreamPlan } from "./streamed-turns.ts";

const SESSIONS = sized(50, 10);
/** About as fast as a model writes, and for five seconds; for one in the short form. */
const PLAN: StreamPlan = { turns: 1, deltas: sized(200, 40), chars: 40, tools: 4, perSecond: 40 };

/** How much more processor time than the floor the host may take: it does much more. */
const MAX_RATIO = 5;

type Streamed = {
  readonly watched: Watched;
  /** Of the time that it lasted, on one processor. */
  readonly cpuPercent: number;
  readonly microsecondsPerFrame: number;
  readonly idleMb: number;
  readonly peakMb: number;
};

async function streamOn(target: LoadTarget): Promise<Streamed> {
  const sessions: string[] = [];
  for (let count = 0; count < SESSIONS; count += 1) sessions.push(await target.open());
  const memory = new MemoryWatch(target.pid, "idle");
  const clients = await openClients(target, sessions);
  try {
    const { end } = await clients.watch(PLAN.turns);
    memory.enter("streaming");
    const [cpuBefore, start] = [cpuMs(target.pid), performance.now()];
    await Promise.all(sessions.map((session) => target.stream(session, PLAN)));
    const watched = await end;
    const [cpu, time] = [cpuMs(target.pid) - cpuBefore, performance.now() - start];
    memory.stop();
    return {
      watched,
      cpuPercent: (cpu / time) * 100,
      microsecondsPerFrame: (cpu * 1000) / watched.frames,
      idleMb: memory.peakOf("idle"),
      peakMb: memory.peakOf("streaming"),
    };
  } finally {
    await clients.close();
  }
}

async function measure(start: () => Promise<LoadTarget>): Promise<Streamed> {
  const target = await start();
  try {
    return await streamOn(target);
  } finally {
    await target.end();
  }
}

function figuresOf(name: string, { watched, ...streamed }: Streamed): Finding[] {
  const delay = [watched.p50Ms, watched.p99Ms, watched.maxMs].map((ms) => ms.toFixed(1));
  return [
    emitted(`${name}: frames`, watched.frames),
    emitted(`${name}: from bridge to client, ms at 50 %, 99 %, 100 %`, delay.join(", ")),
    emitted(`${name}: of one processor`, `${streamed.cpuPercent.toFixed(0)} %`),
    emitted(`${name}: processor time for a frame, µs`, streamed.microsecondsPerFrame.toFixed(0)),
    emitted(
      `${name}: memory with idle sessions, and at most, MB`,
      `${streamed.idleMb.toFixed(0)}, ${streamed.peakMb.toFixed(0)}`,
    ),
  ];
}

const relay = await measure(startRelayTarget);
const host = await measure(() => startHostTarget());
const isolated = await measure(() => startHostTarget("--isolate"));
report(`${SESSIONS} sessions, each with a client and ${PLAN.perSecond} pieces of text a second`, [
  ...figuresOf("host", host),
  ...figuresOf("host with --isolate", isolated),
  ...figuresOf("floor", relay),
  exactly("pieces of text that the clients got", host.watched.pieces, SESSIONS * PLAN.deltas),
  exactly("the same with --isolate", isolated.watched.pieces, SESSIONS * PLAN.deltas),
  exactly("gaps", host.watched.gaps + isolated.watched.gaps, 0),
  fastEnough(
    "processor time, against the floor",
    host.microsecondsPerFrame / relay.microsecondsPerFrame,
    MAX_RATIO,
    "times",
  ),
]);
