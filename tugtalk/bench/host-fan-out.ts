/**
 * One session that streams as fast as it can, with 1, 10 and 100 clients. The figure is the number of
 * messages a second through the journal to every client. The bridge is a stand-in.
 */
import type { TestHost } from "../testing/drivers/host-process.ts";
import { emitted, type Finding, fastEnough, median, report, sized } from "./findings.ts";
import type { StreamPlan } from "./streamed-turns.ts";
import { delivered, type Streamed, streamToClients, withStreamingHost } from "./streaming-host.ts";

/** The longest time of a message on two idle cores, in µs. */
type Row = { readonly clients: number; readonly deltas: number; readonly limitUs: number };

/** A client that falls behind by more than 8 MiB is cut off; these deltas are fewer. */
const ROWS: readonly Row[] = [
  { clients: 1, deltas: sized(10_000, 2_000), limitUs: 60 },
  { clients: 10, deltas: sized(10_000, 2_000), limitUs: 90 },
  { clients: 100, deltas: sized(3_000, 300), limitUs: 400 },
];
const ROUNDS = sized(5, 1);

async function measure(host: TestHost, { clients, deltas, limitUs }: Row): Promise<Finding[]> {
  const plan: StreamPlan = { turns: 1, deltas, chars: 40, tools: 0, perSecond: 0 };
  const runs: Streamed[] = [];
  while (runs.length < ROUNDS)
    runs.push(await streamToClients(host, [await host.createSession()], plan, clients));
  const ms = median(runs.map((run) => run.ms));
  const perSecond = (count: number) => ((count * 1000) / ms).toFixed(0);
  const name = `${clients} client${clients === 1 ? "" : "s"}`;
  return [
    emitted(`${name}: messages a second through the journal`, perSecond(deltas)),
    emitted(`${name}: frames a second to clients`, perSecond(deltas * clients)),
    fastEnough(`${name}: time for a message`, (ms * 1000) / deltas, limitUs, "µs"),
    ...delivered(runs, deltas * clients, `${name}: `),
  ];
}

await withStreamingHost(async (host) => {
  const findings: Finding[] = [];
  for (const row of ROWS) findings.push(...(await measure(host, row)));
  report("one session that streams without a pause", findings);
});
