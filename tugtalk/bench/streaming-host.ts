/** A host whose bridges are streaming stand-ins, so that only the host is measured, and its clients. */
import { join } from "node:path";
import { startHost, type TestHost, type TestHostSession } from "../testing/drivers/host-process.ts";
import { exactly, type Finding, sum } from "./findings.ts";
import { cpuMs, MemoryWatch } from "./process-costs.ts";
import { openClients, type Watched } from "./stream-clients.ts";
import type { StreamPlan } from "./streamed-turns.ts";
import { clockMs } from "./time-mark.ts";

export const STREAMING_BRIDGE = join(import.meta.dir, "streaming-bridge.ts");

/** Runs `use` on a host with these flags, for example `--isolate`, and ends the host. */
export async function withStreamingHost<T>(
  use: (host: TestHost) => Promise<T>,
  ...args: readonly string[]
): Promise<T> {
  const host = await startHost({ args, env: { TUGTALK_BRIDGE: STREAMING_BRIDGE } });
  try {
    return await use(host);
  } finally {
    await host.kill();
  }
}

/** The clients' share of a stream, and its cost for the host. */
export type Streamed = {
  readonly watched: Watched;
  /** Until the last client has got the end. */
  readonly ms: number;
  readonly cpuMs: number;
  /** The memory of the host before, and its peak meanwhile. */
  readonly idleMb: number;
  readonly peakMb: number;
};

/** Streams a plan in each session to this number of its clients, at a host that need not be its holder. */
export async function streamToClients(
  host: TestHost,
  sessions: readonly TestHostSession[],
  plan: StreamPlan,
  clientsOfEach = 1,
): Promise<Streamed> {
  const memory = new MemoryWatch(host.pid, "idle");
  const watching = sessions.flatMap(({ id }) => Array.from({ length: clientsOfEach }, () => id));
  const clients = await openClients(host, watching, plan.turns);
  try {
    memory.enter("streaming");
    const [cpuBefore, startedAt] = [cpuMs(host.pid), clockMs()];
    await Promise.all(sessions.map((session) => say(session, plan)));
    const watched = await clients.end;
    const spentMs = cpuMs(host.pid) - cpuBefore;
    return {
      watched,
      ms: watched.endedAt - startedAt,
      cpuMs: spentMs,
      idleMb: memory.peakOf("idle"),
      peakMb: memory.peakOf("streaming"),
    };
  } finally {
    memory.stop();
    await clients.close();
  }
}

/** Each of these runs brought this number of pieces of text, and no gap. */
export function delivered(runs: readonly Streamed[], pieces: number, name = ""): Finding[] {
  const watched = runs.map((run) => run.watched);
  const fewest = Math.min(...watched.map((one) => one.pieces));
  return [
    exactly(`${name}fewest pieces of text that the clients got`, fewest, pieces),
    exactly(`${name}gaps`, sum(watched.map(({ gaps }) => gaps)), 0),
  ];
}

/** Has the bridge of a session stream a plan. */
export async function say(session: TestHostSession, plan: StreamPlan): Promise<void> {
  const { status, body } = await session.message(JSON.stringify(plan));
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
}
