/**
 * The cost of a session, for `roadmap/scale.md`: memory of the host, the bridge and Claude, idle and while it
 * streams. Also processor time for a turn, and bytes in the journal. Claude is the stand-in, or the real CLI
 * with a stand-in for its API; each with one bridge for all sessions, and with one for each. `--stand-in`
 * leaves the real CLI out. It is not among the benchmarks of `npm run bench`, since it installs the CLI: `bun
 * .ci/bench.ts host-sessions`.
 */
import { join } from "node:path";
import { startHost, type TestHost, type TestHostSession } from "../testing/drivers/host-process.ts";
import { byEvents, JournalFollower } from "../testing/drivers/journal-follower.ts";
import { childrenOf, descendantsOf } from "../testing/drivers/processes.ts";
import { areStill } from "../testing/drivers/silent-host.ts";
import { openRealPlace } from "../testing/real/real-session.ts";
import { emitted, type Finding, report, sum } from "./findings.ts";
import { bytesIn, cpuMs, ownMegabytes } from "./process-costs.ts";

const SESSIONS = 10;
const VERSION = "2.1.330";
/** About eight seconds of a model's output. */
const PIECES = 320;
const DELAY_MS = 25;
const PIECE = "so many letters. ";

const REPLY = {
  content: [{ type: "text", text: PIECE.repeat(PIECES) } as const],
  pieceChars: PIECE.length,
  delayMs: DELAY_MS,
};

/** One host with a kind of Claude behind it. */
type Setting = {
  readonly name: string;
  readonly host: TestHost;
  readonly create: () => Promise<TestHostSession>;
  readonly close: () => Promise<void>;
};

/** The cost of the host, of all bridges, and of all Claudes. */
type Costs = { readonly host: number; readonly bridges: number; readonly claudes: number };

/** Bridges without the check that tests put in between. */
const BRIDGE: Readonly<Record<string, string>> =
  process.env["TUGTALK_UNDER_TEST"] === undefined
    ? { TUGTALK_BRIDGE: join(import.meta.dir, "..", "cli.ts") }
    : {};

type Way = { readonly name: string; readonly args: readonly string[] };

const WAYS: readonly Way[] = [
  { name: "one bridge for all", args: [] },
  { name: "a bridge for each", args: ["--isolate"] },
];

async function withStandIn(way: Way): Promise<Setting> {
  const host = await startHost({ args: way.args, env: { ...BRIDGE, TUGTALK_SIM_SPEED: "1" } });
  const conversation = [
    { dir: "in", msg: { type: "user" } },
    { dir: "open" },
    { dir: "reply", msg: REPLY },
    { dir: "end" },
  ];
  return {
    name: `stand-in, ${way.name}`,
    host,
    create: () => host.createSession({ conversation }),
    close: () => host.kill(),
  };
}

async function withRealClaude(way: Way): Promise<Setting> {
  const place = await openRealPlace(VERSION);
  const env = { ...place.home.environment(place.api.url), ...BRIDGE };
  const host = await startHost({ args: way.args, claude: place.claude, env });
  return {
    name: `claude ${VERSION}, ${way.name}`,
    host,
    create: async () => {
      place.api.script(REPLY);
      return await host.createSession();
    },
    close: async () => {
      await host.kill();
      await place.close();
    },
  };
}

/** The figures of the host, and the sums over bridges and over Claudes. */
function costs(host: TestHost, of: (pid: number) => number): Costs {
  const bridges = childrenOf(host.pid);
  const claudes = bridges.flatMap((bridge) => descendantsOf(bridge));
  return { host: of(host.pid), bridges: sum(bridges.map(of)), claudes: sum(claudes.map(of)) };
}

function perSession(costs: Costs, before: Costs): Costs {
  const part = (of: keyof Costs) => (costs[of] - before[of]) / SESSIONS;
  return { host: part("host"), bridges: part("bridges"), claudes: part("claudes") };
}

function inWords({ host, bridges, claudes }: Costs, digits: number): string {
  return [host, bridges, claudes].map((value) => value.toFixed(digits)).join(", ");
}

/** Runs a turn in every session. Gives the number of entries of all. */
async function streamAll(sessions: readonly TestHostSession[]): Promise<number> {
  const turns = sessions.map(async (session) => {
    const { host, id } = session;
    const follower = new JournalFollower(byEvents);
    await follower.connect({ url: host.url, authorization: host.authorization, id });
    await session.message("go");
    await follower.next("turn_complete");
    follower.close();
    return follower.entries.length;
  });
  return sum(await Promise.all(turns));
}

async function measure({ name, host, create }: Setting): Promise<Finding[]> {
  // An ended host has all entries in the main file of its journal.
  await host.stop();
  const bytesOfNone = bytesIn(host.dataDir);
  await host.start();
  const empty = costs(host, ownMegabytes);
  const sessions: TestHostSession[] = [];
  while (sessions.length < SESSIONS) sessions.push(await create());
  await areStill(host.pid, ...descendantsOf(host.pid));
  const idle = costs(host, ownMegabytes);
  const cpuBefore = costs(host, cpuMs);
  const entries = await streamAll(sessions);
  const cpu = perSession(costs(host, cpuMs), cpuBefore);
  const after = costs(host, ownMegabytes);
  await host.stop();
  const bytes = (bytesIn(host.dataDir) - bytesOfNone) / SESSIONS;
  return [
    emitted(`${name}: memory of the host without a session, MB`, empty.host.toFixed(1)),
    emitted(`${name}: memory of an idle session, MB`, inWords(perSession(idle, empty), 1)),
    emitted(
      `${name}: memory of a session after its turn, MB`,
      inWords(perSession(after, empty), 1),
    ),
    emitted(`${name}: processor time for a turn, ms`, inWords(cpu, 0)),
    emitted(`${name}: journal of a turn, kB`, (bytes / 1000).toFixed(0)),
    emitted(`${name}: entries of a turn`, (entries / SESSIONS).toFixed(0)),
  ];
}

const findings: Finding[] = [];
const claudes = process.argv.includes("--stand-in") ? [withStandIn] : [withStandIn, withRealClaude];
for (const open of claudes)
  for (const way of WAYS) {
    const setting = await open(way);
    try {
      findings.push(...(await measure(setting)));
    } finally {
      await setting.close();
    }
  }
report(
  `${SESSIONS} sessions, each with a turn of ${PIECES} pieces of text in ${(PIECES * DELAY_MS) / 1000} s: of the host, the bridge and Claude`,
  findings,
);
