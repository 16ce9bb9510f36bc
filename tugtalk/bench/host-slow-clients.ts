/**
 * The cost of slow clients, for the host and for the clients beside them. One session streams more than 8 MiB
 * to reading clients, in turn with and without ten others. Some of these read slowly, some not at all.
 */
import type { TestHost } from "../testing/drivers/host-process.ts";
import { StuckClient } from "../testing/drivers/stuck-client.ts";
import { emitted, fastEnough, median, report, sized } from "./findings.ts";
import type { StreamPlan } from "./streamed-turns.ts";
import { delivered, type Streamed, streamToClients, withStreamingHost } from "./streaming-host.ts";

const ROUNDS = sized(10, 1);
const READERS = 5;
const SLOW_CLIENTS = 10;

/**
 * 3 MB a second, 14 MB in all: more than the sockets and the allowance of a slow client hold. The short form
 * stays below that allowance, 8 MiB, since readers on a busy machine may be as slow.
 */
const TURNS = sized(70, 10);
const PLAN: StreamPlan = { turns: TURNS, deltas: 25, chars: 8_000, tools: 0, perSecond: 400 };

/** With this pause a slow reader reads at most 1 MB a second. */
const SLOW_READ_MS = 500;

const MAX_MB = 8;
/** The limit of an idle machine. On a busy one the readers may wait twice as long as without slow clients. */
const MAX_P99_MS = 20;
const MAX_P99_RATIO = 2;

type Round = Streamed & { readonly cutOff: number };

/** Runs a round in a process of its own, so that no round affects the next. */
function runRound(slowClients: number): Promise<Round> {
  return withStreamingHost((host) => streamBeside(host, slowClients));
}

async function streamBeside(host: TestHost, slowClients: number): Promise<Round> {
  const slow: SlowClient[] = [];
  try {
    const session = await host.createSession();
    while (slow.length < slowClients) slow.push(await openSlow(host, session.id, slow.length));
    const streamed = await streamToClients(host, [session], PLAN, READERS);
    return { ...streamed, cutOff: await countCutOff(slow) };
  } finally {
    for (const { client } of slow) client.close();
  }
}

type SlowClient = { readonly client: StuckClient; isClosed: boolean };

/** Two clients in five never read, by each transport; one reads slowly. */
async function openSlow(host: TestHost, session: string, number: number): Promise<SlowClient> {
  const { authorization: headers, port } = host;
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

/** The number of their connections that the host has closed, once they have read the bytes on their way. */
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

const withSlow: Round[] = [];
const without: Round[] = [];
while (withSlow.length < ROUNDS) {
  without.push(await runRound(0));
  withSlow.push(await runRound(SLOW_CLIENTS));
}

const peak = (rounds: readonly Round[]) => median(rounds.map(({ peakMb }) => peakMb));
const p99 = (rounds: readonly Round[]) => median(rounds.map(({ watched }) => watched.p99Ms));
const costs = withSlow.map(
  ({ peakMb }, round) => (peakMb - (without[round]?.peakMb ?? Number.NaN)) / SLOW_CLIENTS,
);
report(
  `${SLOW_CLIENTS} slow clients beside ${READERS} that read, medians of ${ROUNDS} paired rounds`,
  [
    emitted("peak memory without slow clients, MB", peak(without).toFixed(0)),
    emitted("peak memory with ten, MB", peak(withSlow).toFixed(0)),
    fastEnough("memory for a slow client", median(costs), MAX_MB, "MB"),
    emitted("slow clients cut off in each round", withSlow.map(({ cutOff }) => cutOff).join(", ")),
    emitted("p99 to the readers without slow clients, ms", p99(without).toFixed(1)),
    fastEnough(
      "p99 to the readers with ten",
      p99(withSlow),
      Math.max(MAX_P99_MS, MAX_P99_RATIO * p99(without)),
      "ms",
    ),
    ...delivered([...without, ...withSlow], READERS * PLAN.turns * PLAN.deltas),
  ],
);
