/** How fast a contender starts, streams and asks, and what that costs it in processor time. */
import { median, percentile } from "../findings.ts";
import { startCpuMeter, threadsMs } from "../process-costs.ts";
import { clockMs, markedTime } from "../time-mark.ts";
import type { Contender } from "./contenders.ts";
import { type Peer, withPeer } from "./peer.ts";
import { type Measures, type Scenario, type Setting, withWarmPeer } from "./scenario.ts";

const DELTAS_IN_MESSAGE = 1000;
const CHARS = 16;

/** From the start of the process to the first text of the first turn, with a Claude that starts at once. */
const start: Scenario = {
  name: "start",
  what: (isQuick) => `start to first text, median of ${startsOf(isQuick)} starts`,
  measure: async (contender, setting) => {
    const starts: { readonly ms: number; readonly cpuMs: number }[] = [];
    for (let count = 0; count < startsOf(setting.isQuick); count += 1)
      starts.push(await measureStart(contender, setting));
    return {
      "first text ms": median(starts.map(({ ms }) => ms)),
      "CPU ms": median(starts.map(({ cpuMs }) => cpuMs)),
    };
  },
};

function startsOf(isQuick: boolean): number {
  return isQuick ? 3 : 10;
}

async function measureStart(contender: Contender, { folder, quick }: Setting) {
  const startedAt = performance.now();
  return await withPeer(contender, { folder, claude: quick }, async (peer) => {
    let first: { readonly ms: number; readonly cpuMs: number } | undefined;
    await peer.say("Hello?", ({ kind }) => {
      if (kind === "piece")
        first ??= { ms: performance.now() - startedAt, cpuMs: threadsMs(peer.pid) };
    });
    return first ?? { ms: Number.NaN, cpuMs: Number.NaN };
  });
}

/** The floods before it are as long as what is measured, so that all code is compiled. */
const bulk: Scenario = {
  name: "bulk",
  what: (isQuick) => `${deltasOf(isQuick)} text deltas at once, after as many others`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      await flood(peer, deltasOf(setting.isQuick));
      return await flood(peer, deltasOf(setting.isQuick));
    }),
};

function deltasOf(isQuick: boolean): number {
  return isQuick ? 50_000 : 200_000;
}

/** Streams text as fast as the contender reads it; the host only looks for the end. */
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

const PER_SECOND = 1000;

const paced: Scenario = {
  name: "paced",
  what: (isQuick) => `${pacedOf(isQuick)} text deltas at ${PER_SECOND} a second`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      const deltas = pacedOf(setting.isQuick);
      const spentMs = startCpuMeter(peer.pid);
      const delays = await pace(peer, deltas, PER_SECOND);
      return { "CPU µs/delta": (spentMs() * 1000) / deltas, ...inMicroseconds(delays) };
    }),
};

function pacedOf(isQuick: boolean): number {
  return isQuick ? 500 : 4000;
}

/** From when the stand-in writes each piece of text to when the host hears it, in ms. */
export async function pace(peer: Peer, deltas: number, perSecond: number): Promise<number[]> {
  const delays: number[] = [];
  await peer.turn([{ kind: "paced", deltas, perSecond }], (heard) => {
    if (heard.kind === "piece") delays.push(clockMs() - (markedTime(heard.text) ?? Number.NaN));
  });
  return delays;
}

function inMicroseconds(delays: readonly number[]): Measures {
  return { "p50 µs": percentile(delays, 0.5) * 1000, "p99 µs": percentile(delays, 0.99) * 1000 };
}

const prompts: Scenario = {
  name: "prompts",
  what: (isQuick) => `permission prompts one by one, the first ${firstOf(isQuick)}`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, (peer) => ask(peer, firstOf(setting.isQuick))),
};

function firstOf(isQuick: boolean): number {
  return isQuick ? 50 : 200;
}

/** The process has then compiled all that prompts need. */
const latePrompts: Scenario = {
  name: "late-prompts",
  what: (isQuick) => `${laterOf(isQuick)} permission prompts one by one, after as many others`,
  measure: async (contender, setting) =>
    await withWarmPeer(contender, setting, async (peer) => {
      await ask(peer, laterOf(setting.isQuick));
      return await ask(peer, laterOf(setting.isQuick));
    }),
};

function laterOf(isQuick: boolean): number {
  return isQuick ? 100 : 1000;
}

/** From when the stand-in writes the call and its prompt to when it reads the answer. */
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
