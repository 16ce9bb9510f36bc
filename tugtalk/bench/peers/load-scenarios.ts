/** The memory of a contender, with very long lines and with many sessions. */
import { descendantsOf } from "../../testing/drivers/processes.ts";
import { areStill, peakMegabytes, residentMegabytes } from "../../testing/drivers/silent-host.ts";
import { StoppableOutput } from "../../testing/drivers/stoppable-output.ts";
import { percentile, sized, sum } from "../findings.ts";
import { bytesAt, proportionalMegabytes, startCpuMeter } from "../process-costs.ts";
import { clockMs, markedTime } from "../time-mark.ts";
import { type Peer, withPeers } from "./peer.ts";
import { greet, type Measures, type Scenario, withWarmPeer } from "./scenario.ts";
import { flood, pace } from "./speed-scenarios.ts";

const DELTAS = sized(1_000_000, 100_000);

const memory: Scenario = {
  name: "memory",
  what: `idle after a first short turn, and after ${DELTAS} deltas`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      await areStill(peer.pid);
      const idle = {
        "idle RSS MB": residentMegabytes(peer.pid),
        "idle PSS MB": proportionalMegabytes(peer.pid),
      };
      await flood(peer, DELTAS);
      return { ...idle, "RSS MB": residentMegabytes(peer.pid) };
    }),
};

const UNREAD = sized(200_000, 20_000);

/** A host that does not read gets all messages once it reads. */
const silent: Scenario = {
  name: "silent",
  what: `a host that does not read ${UNREAD} deltas at once`,
  measure: async (contender, { folder, planned }) => {
    const output = new StoppableOutput();
    return await withPeers(contender, { folder, claude: planned, output }, 1, async ([peer]) => {
      await greet(peer);
      try {
        output.stop();
        const delivered = flood(peer, UNREAD);
        // If the flood fails before the `await`, the contender is reported as failed.
        delivered.catch(() => {});
        await areStill(peer.pid, ...descendantsOf(peer.pid));
        const peak = { "peak MB": peakMegabytes(peer.pid) };
        output.resume();
        await delivered;
        return peak;
      } finally {
        output.resume();
      }
    });
  },
};

const MEGABYTE = 1_000_000;
const LONG_LINES = sized(50, 5) === 5 ? [5] : [5, 50];

/** From the stand-in's first byte of the line to the end of the turn at the host. */
const longLine: Scenario = {
  name: "long-line",
  what: `the result of a tool in one line of ${LONG_LINES.join(" or ")} MB`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      const measures: Record<string, number> = {};
      for (const size of LONG_LINES)
        measures[`${size} MB ms`] = await passLongLine(peer, size * MEGABYTE);
      return measures;
    }),
};

/** Throws if the line does not arrive whole. */
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

const SESSIONS = sized(20, 4);
const SECONDS = sized(4, 1);
const PER_SECOND = 50;

/** All sessions stream at once, each with a process of its own or all in one. */
const sessions: Scenario = {
  name: "sessions",
  what: `${SESSIONS} sessions, each at ${PER_SECOND} deltas a second`,
  hasManySessions: true,
  measure: async (contender, { folder, planned }) =>
    await withPeers(contender, { folder, claude: planned }, SESSIONS, async (peers, pids) => {
      for (const peer of peers) await greet(peer);
      return await streamAll(peers, pids);
    }),
};

async function streamAll(peers: readonly Peer[], pids: readonly number[]): Promise<Measures> {
  const meters = pids.map((pid) => startCpuMeter(pid));
  const streams = peers.map((peer) => pace(peer, SECONDS * PER_SECOND, PER_SECOND));
  const delays = (await Promise.all(streams)).flat();
  return {
    "CPU µs/delta": (sum(meters.map((spentMs) => spentMs())) * 1000) / delays.length,
    "PSS MB": sum(pids.map(proportionalMegabytes)),
    "p50 ms": percentile(delays, 0.5),
    "p99 ms": percentile(delays, 0.99),
  };
}

/** The size without Claude, and without the runtime that scripts need. */
const installed: Scenario = {
  name: "installed",
  what: "bytes on the disk, without Claude and the runtime of a script",
  needsFiles: true,
  measure: async ({ files = "" }) => ({ MB: bytesAt(files) / MEGABYTE }),
};

export const LOAD_SCENARIOS: readonly Scenario[] = [memory, silent, longLine, sessions, installed];
