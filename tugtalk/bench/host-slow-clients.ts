/**
 * What clients that do not keep up cost the host, and the clients beside them: one session streams more
 * than 8 MiB to clients that read, in turn with and without ten others, of which some read slowly and some
 * not at all.
 */
import { StuckClient } from "../testing/drivers/stuck-client.ts";
import { sized } from "./bench-size.ts";
import { openClients, type Watched } from "./client-load.ts";
import { emitted, exactly, type Finding, fastEnough, median, report } from "./findings.ts";
import { type LoadTarget, startHostTarget } from "./load-targets.ts";
import { MemoryWatch } from "./memory-watch.ts";
import type { StreamPlan } from "./streamed-turns.ts";

const ROUNDS = sized(10, 1);
const READERS = 5;
const SLOW_CLIENTS = 10;

/** 3 MB a second, 14 MB in all: more than the sockets and the allowance of a slow client hold. */
const PLAN: StreamPlan = { turns: 70, deltas: 25, chars: 8_000, tools: 0, perSecond: 400 };

/** A slow reader then reads at most 1 MB a second. */
const SLOW_READ_MS = 500;

const MAX_MB = 8;
/** Of an idle machine. On a busy one the readers may wait twice as long as without slow clients. */
const MAX_P99_MS = 20;
const MAX_P99_RATIO = 2;

type Round = { readonly watched: Watched; readonly peakMb: number; readonly cutOff: number };

/** A process of its own for each, so that one leaves nothing behind for the next. */
async function runRound(slowClients: number): Promise<Round> {
  const host = await startHostTarget();
  try {
    return await streamOn(host, slowClients);
  } finally {
    await host.end();
  }
}

async function streamOn(host: LoadTarget, slowClients: number): Promise<Round> {
  const session = await host.open();
  const readers = await openClients(
    host,
    Array.from({ length: READERS }, () => session),
  );
  const slow: SlowClient[] = [];
  for (let count = 0; count < slowClients; count++) slow.push(await openSlow(host, session, count));
  const memory = new MemoryWatch(host.pid, "streaming");
  try {
    const { end } = await readers.watch(PLAN.turns);
    await host.stream(session, PLAN);
    const watched = await end;
    return { watched, peakMb: memory.peakOf("streaming"), cutOff: await countCutOff(slow) };
  } finally {
    memory.stop();
    for (const { client } of slow) client.close();
    await readers.close();
  }
}

type SlowClient = { readonly client: StuckClient; isClosed: boolean };

/** Two in five never read, by each transport; one reads slowly. */
async function openSlow(host: LoadTarget, session: string, number: number): Promise<SlowClient> {
  const headers = { authorization: `Bearer ${host.token}` };
  const port = Number(new URL(host.url).port);
  const command = { id: 1, cmd: "subscribe", s: session };
  const client =
    number % 2 === 0
      ? await StuckClient.events(port, `/api/sessions/${session}/events`, headers)
      : await StuckClient.socket(port, command, headers);
  if (number % 5 === 0) client.readEvery(SLOW_READ_MS);
  const slow = { client, isClosed: false };
  void client.closed.then(() => {
    slow.isClosed = true;
  });
  return slow;
}

/** How many of their connections the host has closed, once they have read what was on its way. */
async function countCutOff(slow: readonly SlowClient[]): Promise<number> {
  if (slow.length === 0) return 0;
  for (const { client } of slow) client.read();
  await Bun.sleep(500);
  return slow.filter(({ client, isClosed }) => isClosed || hasEnded(client)).length;
}

/** A stream of events has ended with the last piece of an answer of unknown length. */
function hasEnded({ text }: StuckClient): boolean {
  return text.endsWith("\r\n0\r\n\r\n");
}

function numbers(values: readonly number[]): string {
  return values.map((value) => value.toFixed(1)).join(", ");
}

const withSlow: Round[] = [];
const without: Round[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  without.push(await runRound(0));
  withSlow.push(await runRound(SLOW_CLIENTS));
}

const costs = withSlow.map(
  ({ peakMb }, round) => (peakMb - (without[round]?.peakMb ?? Number.NaN)) / SLOW_CLIENTS,
);
const peaksOf = (rounds: readonly Round[]) => rounds.map(({ peakMb }) => peakMb);
const p99Of = (rounds: readonly Round[]) => rounds.map(({ watched }) => watched.p99Ms);
const delays = p99Of(withSlow).map((ms, round) => ms - (p99Of(without)[round] ?? Number.NaN));
const all = [...without, ...withSlow].map(({ watched }) => watched);
const findings: Finding[] = [
  emitted("peak memory without slow clients, MB", median(peaksOf(without)).toFixed(0)),
  emitted("peak memory with ten, MB", median(peaksOf(withSlow)).toFixed(0)),
  emitted("memory for a slow client in each round, MB", numbers(costs)),
  fastEnough("memory for a slow client", median(costs), MAX_MB, "MB"),
  emitted("slow clients cut off in each round", withSlow.map(({ cutOff }) => cutOff).join(", ")),
  emitted("p99 to the readers without slow clients, each round, ms", numbers(p99Of(without))),
  emitted("p99 to the readers with ten, each round, ms", numbers(p99Of(withSlow))),
  emitted("p99 to the readers without slow clients, ms", median(p99Of(without)).toFixed(1)),
  emitted("p99 to the readers, with less without, ms", median(delays).toFixed(1)),
  fastEnough(
    "p99 to the readers with ten",
    median(p99Of(withSlow)),
    Math.max(MAX_P99_MS, MAX_P99_RATIO * median(p99Of(without))),
    "ms",
  ),
  exactly(
    "fewest pieces of text that the readers got",
    Math.min(...all.map(({ pieces }) => pieces)),
    READERS * PLAN.turns * PLAN.deltas,
  ),
  exactly("gaps", Math.max(...all.map(({ gaps }) => gaps)), 0),
];
report(
  `${SLOW_CLIENTS} slow clients beside ${READERS} that read, medians of ${ROUNDS} paired rounds`,
  findings,
);
