/** What a contender holds in memory, and what very long lines and many sessions do to it. */

import { areStill, residentMegabytes } from "../../testing/drivers/silent-host.ts";
import { percentile } from "../findings.ts";
import { proportionalMegabytes, startCpuMeter } from "../process-costs.ts";
import { clockMs, markedTime } from "../time-mark.ts";
import { type Peer, withPeers } from "./peer.ts";
import { greet, type Measures, type Scenario, withWarmPeer } from "./scenario.ts";
import { flood, pace } from "./speed-scenarios.ts";

/** How many deltas there were after each flood of a full run. */
const GROWTH = [10_000, 200_000, 1_000_000];
/** The part of that in a quick run. */
const QUICK_PART = 0.1;

/** What a delta costs up to the first of the numbers, from there to the second, and to the third. */
const memory: Scenario = {
  name: "memory",
  what: (isQuick) => `idle after a first short turn, and after ${growthOf(isQuick).at(-1)} deltas`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      await areStill(peer.pid);
      const idle = {
        "idle RSS MB": residentMegabytes(peer.pid),
        "idle PSS MB": proportionalMegabytes(peer.pid),
      };
      const costs: Record<string, number> = {};
      let before = 0;
      for (const deltas of growthOf(setting.isQuick)) {
        const spent = (await flood(peer, deltas - before))["CPU µs/delta"] ?? Number.NaN;
        costs[`µs/delta to ${deltas / 1000} k`] = spent;
        before = deltas;
      }
      return { ...idle, "RSS MB": residentMegabytes(peer.pid), ...costs };
    }),
};

function growthOf(isQuick: boolean): readonly number[] {
  return GROWTH.map((deltas) => deltas * (isQuick ? QUICK_PART : 1));
}

const MEGABYTE = 1_000_000;

/** From when the stand-in begins to write the line to when the host has read the end of the turn. */
const longLine: Scenario = {
  name: "long-line",
  what: (isQuick) => `the result of a tool in one line of ${linesOf(isQuick).join(" or ")} MB`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      const measures: Record<string, number> = {};
      for (const size of linesOf(setting.isQuick))
        measures[`${size} MB ms`] = await passLongLine(peer, size * MEGABYTE);
      return measures;
    }),
};

function linesOf(isQuick: boolean): readonly number[] {
  return isQuick ? [5] : [5, 50];
}

/** Throws where the line does not arrive whole. */
async function passLongLine(peer: Peer, bytes: number): Promise<number> {
  let begun = Number.NaN;
  let arrived = 0;
  await peer.turn([{ kind: "long-line", bytes }], (heard) => {
    if (heard.kind === "piece") begun = markedTime(heard.text) ?? Number.NaN;
    if (heard.kind === "long line") arrived = Math.max(arrived, heard.bytes);
  });
  const ms = clockMs() - begun;
  if (arrived < bytes) throw new Error(`of a line of ${bytes} bytes ${arrived} arrived`);
  return ms;
}

const PER_SECOND = 50;

/** All sessions stream at once, each with a process of its own or all in one. */
const sessions: Scenario = {
  name: "sessions",
  what: (isQuick) => `${sessionsOf(isQuick)} sessions, each at ${PER_SECOND} deltas a second`,
  hasManySessions: true,
  measure: async (contender, { folder, planned, isQuick }) => {
    const workspace = { folder, claude: planned };
    return await withPeers(contender, workspace, sessionsOf(isQuick), async (peers, pids) => {
      for (const peer of peers) await greet(peer);
      return await streamAll(peers, pids, isQuick ? PER_SECOND : 4 * PER_SECOND);
    });
  },
};

function sessionsOf(isQuick: boolean): number {
  return isQuick ? 4 : 20;
}

async function streamAll(
  peers: readonly Peer[],
  pids: readonly number[],
  deltas: number,
): Promise<Measures> {
  const meters = pids.map((pid) => startCpuMeter(pid));
  const delays = (await Promise.all(peers.map((peer) => pace(peer, deltas, PER_SECOND)))).flat();
  const spentMs = meters.reduce((sum, spent) => sum + spent(), 0);
  return {
    "PSS MB": pids.reduce((sum, pid) => sum + proportionalMegabytes(pid), 0),
    "CPU µs/delta": (spentMs * 1000) / delays.length,
    "p50 ms": percentile(delays, 0.5),
    "p99 ms": percentile(delays, 0.99),
  };
}

export const LOAD_SCENARIOS: readonly Scenario[] = [memory, longLine, sessions];
