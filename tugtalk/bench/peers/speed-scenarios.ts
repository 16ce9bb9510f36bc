/** The speed of a contender's start, stream and prompts, and their processor time. */
import { median, percentile, sized } from "../findings.ts";
import { startCpuMeter, threadsMs } from "../process-costs.ts";
import { clockMs, markedTime } from "../time-mark.ts";
import type { Contender } from "./contenders.ts";
import { type Peer, withPeers } from "./peer.ts";
import { type Measures, type Scenario, type Setting, withWarmPeer } from "./scenario.ts";

const STARTS = sized(10, 3);
const DELTAS = sized(200_000, 50_000);
const DELTAS_IN_MESSAGE = 1000;
const CHARS = 16;
const PACED_DELTAS = sized(4000, 500);
const PER_SECOND = 1000;
const FIRST_PROMPTS = sized(200, 50);
const LATE_PROMPTS = sized(1000, 100);

/** From the start of the process to the first text of the first turn, with a Claude that starts at once. */
const start: Scenario = {
  name: "start",
  what: `start to first text, median of ${STARTS} starts`,
  measure: async (contender, setting) => {
    const starts: Started[] = [];
    while (starts.length < STARTS) starts.push(await measureStart(contender, setting));
    return {
      "first text ms": median(starts.map(({ ms }) => ms)),
      "CPU ms": median(starts.map(({ cpuMs }) => cpuMs)),
    };
  },
};

type Started = { readonly ms: number; readonly cpuMs: number };

async function measureStart(contender: Contender, { folder, quick }: Setting): Promise<Started> {
  const startedAt = performance.now();
  return await withPeers(contender, { folder, claude: quick }, 1, async ([peer]) => {
    let first: Started | undefined;
    await peer.say("Hello?", ({ kind }) => {
      if (kind === "piece")
        first ??= { ms: performance.now() - startedAt, cpuMs: threadsMs(peer.pid) };
    });
    return first ?? { ms: Number.NaN, cpuMs: Number.NaN };
  });
}

/** The flood before it is as long as the measured one, so that all code is compiled. */
const bulk: Scenario = {
  name: "bulk",
  what: `${DELTAS} text deltas at once, after as many others`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      await flood(peer, DELTAS);
      return await flood(peer, DELTAS);
    }),
};

/** Streams text as fast as the contender reads it. The host only waits for the end. */
export async function flood(peer: Peer, deltas: number): Promise<Measures> {
  const messages = deltas / DELTAS_IN_MESSAGE;
  const spentMs = startCpuMeter(peer.pid);
  const startedAt = performance.now();
  await peer.turn(
    [{ kind: "flood", messages, deltas: DELTAS_IN_MESSAGE, chars: CHARS }],
    "end only",
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    "CPU µs/delta": (spentMs() * 1000) / deltas,
    "1000 deltas/s": deltas / seconds / 1000,
  };
}

const paced: Scenario = {
  name: "paced",
  what: `${PACED_DELTAS} text deltas at ${PER_SECOND} a second`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      const spentMs = startCpuMeter(peer.pid);
      const delays = await pace(peer, PACED_DELTAS, PER_SECOND);
      return {
        "CPU µs/delta": (spentMs() * 1000) / PACED_DELTAS,
        "p50 µs": percentile(delays, 0.5) * 1000,
        "p99 µs": percentile(delays, 0.99) * 1000,
      };
    }),
};

/** The times from the stand-in's write of each piece of text to the host's read, in ms. */
export async function pace(peer: Peer, deltas: number, perSecond: number): Promise<number[]> {
  const delays: number[] = [];
  await peer.turn([{ kind: "paced", deltas, perSecond }], (heard) => {
    if (heard.kind === "piece") delays.push(clockMs() - (markedTime(heard.text) ?? Number.NaN));
  });
  return delays;
}

const prompts: Scenario = {
  name: "prompts",
  what: `permission prompts one by one, the first ${FIRST_PROMPTS}`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, (peer) => ask(peer, FIRST_PROMPTS)),
};

/** By then the process has compiled all code for prompts. */
const latePrompts: Scenario = {
  name: "late-prompts",
  what: `${LATE_PROMPTS} permission prompts one by one, after as many others`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      await ask(peer, LATE_PROMPTS);
      return await ask(peer, LATE_PROMPTS);
    }),
};

/** The times from the stand-in's write of the call and its prompt to its read of the answer. */
async function ask(peer: Peer, count: number): Promise<Measures> {
  const spentMs = startCpuMeter(peer.pid);
  const { answerUs } = await peer.turn([{ kind: "prompts", count, atOnce: 1 }], () => {});
  return {
    "p50 µs": percentile(answerUs, 0.5),
    "p99 µs": percentile(answerUs, 0.99),
    "CPU µs/prompt": (spentMs() * 1000) / count,
  };
}

export const SPEED_SCENARIOS: readonly Scenario[] = [start, bulk, paced, prompts, latePrompts];
