/**
 * One session that streams as fast as it can, with 1, 10 and 100 clients: how many messages a second go
 * through the journal and to every client, beside the floor of relay.ts. The bridge is a stand-in.
 */
import { sized } from "./bench-size.ts";
import { openClients, type Watched } from "./client-load.ts";
import { emitted, exactly, type Finding, fastEnough, median, report } from "./findings.ts";
import { type LoadTarget, startHostTarget, startRelayTarget } from "./load-targets.ts";
import type { StreamPlan } from "./streamed-turns.ts";
import { clockMs } from "./time-mark.ts";

/** No client may fall behind by more than 8 MiB, or it is cut off: these are fewer. */
const PLANS: readonly (readonly [clients: number, plan: StreamPlan])[] = [
  [1, flood(sized(10_000, 2_000))],
  [10, flood(sized(10_000, 2_000))],
  [100, flood(sized(3_000, 300))],
];
const ROUNDS = sized(5, 1);

/** How much longer than the floor the host may take. */
const MAX_RATIO = 4;

type Run = { readonly watched: Watched; readonly ms: number };

function flood(deltas: number): StreamPlan {
  return { turns: 1, deltas, chars: 40, tools: 0, perSecond: 0 };
}

async function runOn(target: LoadTarget, clientCount: number, plan: StreamPlan): Promise<Run> {
  const session = await target.open();
  const clients = await openClients(
    target,
    Array.from({ length: clientCount }, () => session),
  );
  try {
    const { end } = await clients.watch(plan.turns);
    const start = clockMs();
    await target.stream(session, plan);
    const watched = await end;
    return { watched, ms: watched.endedAt - start };
  } finally {
    await clients.close();
  }
}

/** Both in turn, so that what else the machine does disturbs both. */
async function compare(
  host: LoadTarget,
  floor: LoadTarget,
  [clients, plan]: (typeof PLANS)[number],
): Promise<Finding[]> {
  const runs: Run[] = [];
  const floors: Run[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(await runOn(floor, clients, plan));
    runs.push(await runOn(host, clients, plan));
  }
  const [ms, floorMs] = [median(runs.map((run) => run.ms)), median(floors.map((run) => run.ms))];
  const ratio = median(runs.map((run, round) => run.ms / (floors[round]?.ms ?? Number.NaN)));
  const perSecond = (count: number, time: number) => ((count * 1000) / time).toFixed(0);
  const pieces = runs.map(({ watched }) => watched.pieces);
  const name = `${clients} client${clients === 1 ? "" : "s"}`;
  return [
    emitted(`${name}: messages a second through the journal`, perSecond(plan.deltas, ms)),
    emitted(`${name}: frames a second to clients`, perSecond(plan.deltas * clients, ms)),
    emitted(`${name}: messages a second, the floor`, perSecond(plan.deltas, floorMs)),
    fastEnough(`${name}: time, against the floor`, ratio, MAX_RATIO, "times"),
    exactly(`${name}: fewest pieces of text`, Math.min(...pieces), plan.deltas * clients),
    exactly(
      `${name}: gaps`,
      runs.reduce((sum, { watched }) => sum + watched.gaps, 0),
      0,
    ),
  ];
}

const host = await startHostTarget();
const floor = await startRelayTarget();
try {
  const findings: Finding[] = [];
  for (const plan of PLANS) findings.push(...(await compare(host, floor, plan)));
  report("one session that streams without a pause", findings);
} finally {
  await host.end();
  await floor.end();
}
