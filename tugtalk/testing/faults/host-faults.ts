/** The faults of a host, and how a bridge must handle each. */
import { join } from "node:path";
import { MAX_LINE_BYTES } from "../../src/base/lines.ts";
import { type Received, startBridge, UNDER_TEST } from "../drivers/bridge-process.ts";
import { leftAfter } from "../drivers/processes.ts";
import { areStill, startSilently } from "../drivers/silent-host.ts";
import { observe } from "../observer/observer.ts";
import { type Cell, type CellResult, MAX_PROCESS_MS } from "./fault-cells.ts";
import {
  claudeIsGone,
  ending,
  type Findings,
  goesOnUnharmed,
  interruptedTurn,
  judge,
  judgeText,
  runCell,
  type Strike,
} from "./fault-run.ts";
import {
  FAULT_STATES,
  type FaultState,
  hasTurn,
  type Line,
  openScene,
  plainly,
  type Scene,
  type StartLine,
} from "./fault-scenes.ts";
import { floodIn, floodText, judgeFlood } from "./flood.ts";
import { type SlowHost, startSlowly } from "./slow-host.ts";

type HostFault = {
  readonly name: string;
  readonly run: (state: FaultState) => Promise<CellResult>;
};

const HOST_FAULTS: readonly HostFault[] = [
  { name: "closes stdin", run: cellOf(plainly, closes) },
  { name: "dies by SIGKILL", run: cellOf(killably, dies) },
  { name: "sends 64 MiB in one line", run: cellOf(plainly, sendsMuch) },
  { name: "sends a line a byte at a time", run: types },
];

/** For how long a host does not read, in ms. */
const SILENCE_MS = 10_000;

/**
 * Every host fault in every state, except the slow one. Ordered by state, so that the heavy fault does
 * not run many times at once.
 */
export const HOST_CELLS: readonly Cell[] = FAULT_STATES.flatMap((state) =>
  HOST_FAULTS.map(({ name, run }) => ({ fault: name, state, run: () => run(state) })),
);

/** A host that does not read for a while, in every state. */
export const SILENT_CELLS: readonly Cell[] = FAULT_STATES.map((state) => ({
  fault: `stops reading for ${SILENCE_MS / 1000} s`,
  state,
  run: () => cellOf(silently, stopsReading)(state),
}));

/** More lines than the two pipes take, each of which holds 64 KiB. */
const MIN_FULL = 1_000;

function cellOf(start: StartLine, strike: Strike) {
  return (state: FaultState) => runCell(openScene(state, start), strike);
}

/** The bridge is started by a process in between, whose pipes end with it. */
function killably(env: Readonly<Record<string, string>>): Line {
  const between = [process.execPath, join(import.meta.dir, "killable-host.ts")];
  return startBridge({ env, command: [...between, ...UNDER_TEST] });
}

/** Reads only while a test waits for a message. */
async function silently(env: Readonly<Record<string, string>>): Promise<Line> {
  const host = await startSilently(env);
  return {
    ...host,
    next: (fits) => host.readUntil(typeof fits === "string" ? ({ type }) => type === fits : fits),
    get exited() {
      return host.readToEnd();
    },
  };
}

async function closes(scene: Scene, findings: Findings): Promise<void> {
  const { line, state } = scene;
  const struck = performance.now();
  line.closeInput();
  if (hasTurn(state)) await interruptedTurn(scene, findings, struck);
  const from = performance.now();
  await ending(scene, findings);
  await claudeIsGone(scene, findings, hasTurn(state) ? from : struck);
  judge(scene, findings, [
    state === "before the handshake" ? "cancelled" : "completed",
    ...(state === "queue full" ? ["cancelled", "cancelled", "rejected"] : []),
  ]);
  judgeText(scene, findings);
}

/** The exit code of a killed process, as its parent sees it. */
const SIGKILLED = 137;

/** The host is gone, so only the end of all processes can be observed. */
async function dies(scene: Scene, findings: Findings): Promise<void> {
  const { line, claude, processes, sentIds } = scene;
  const struck = performance.now();
  line.kill();
  const left = await leftAfter([claude.parent, ...processes()], MAX_PROCESS_MS);
  findings.processMs = performance.now() - struck;
  findings.must(left.length === 0, `processes are left: ${left.join(", ")}`);
  const code = await line.exited;
  findings.must(code === SIGKILLED, `the host exits with ${code}`);
  findings.broken.push(...observe({ received: line.received, sentIds, isOver: false }));
  judgeText(scene, findings);
}

const FILLING = Buffer.alloc(MAX_LINE_BYTES, "x");

/** A line over the limit is dropped, and nothing else happens. */
async function sendsMuch(scene: Scene, findings: Findings): Promise<void> {
  const struck = performance.now();
  // Once is enough: it is as slow as the other one.
  if (scene.state === "idle") {
    sendLineOf(scene, MAX_LINE_BYTES);
    await isRefused(scene, findings, "unknown_type");
  }
  sendLineOf(scene, MAX_LINE_BYTES + 1);
  const refusal = await isRefused(scene, findings, "line_too_long");
  const isCounted = String(refusal["message"]).includes(` ${MAX_LINE_BYTES + 1} bytes `);
  findings.must(isCounted, `the line is refused as "${refusal["message"]}"`);
  await goesOnUnharmed(scene, findings, struck);
  judgeText(scene, findings);
}

async function isRefused({ line }: Scene, findings: Findings, wanted: string): Promise<Received> {
  const refusal = await line.next("error");
  const { code } = refusal;
  findings.must(code === wanted, `the line is answered by ${code} instead of ${wanted}`);
  return refusal;
}

function sendLineOf({ line }: Scene, bytes: number): void {
  const start = '{"type":"nonsense","filling":"';
  const end = '"}';
  line.sendRaw(start);
  line.sendRaw(FILLING.subarray(0, bytes - start.length - end.length));
  line.sendRaw(`${end}\n`);
}

/** Everything from this host arrives byte by byte. */
async function types(state: FaultState): Promise<CellResult> {
  const sent: SlowHost["sent"][] = [];
  const start = (env: Readonly<Record<string, string>>) => {
    const host = startSlowly(env);
    sent.push(host.sent);
    return host;
  };
  return await cellOf(start, async (scene, findings) => {
    await goesOnUnharmed(scene, findings, performance.now());
    judgeText(scene, findings);
    const lines = sent.flat();
    findings.must(lines.length === scene.sentIds.length, `${lines.length} lines are sent slowly`);
    for (const { bytes, reads } of lines) {
      findings.must(reads >= bytes, `a line of ${bytes} bytes is read in ${reads} pieces`);
    }
  })(state);
}

/**
 * Claude prints until all pipes are full. The bridge still handles messages of the host, and when the
 * host reads again it gets everything, up to the end that its interrupt caused.
 */
async function stopsReading(scene: Scene, findings: Findings): Promise<void> {
  const { state, claude } = scene;
  const isOver = Bun.sleep(SILENCE_MS);
  await claude.apply(floodIn(state));
  const count = await fullPipes(scene);
  // Without the field, an interrupt between turns does not reach Claude.
  const interrupt = scene.ask({ type: "interrupt", include_background: true });
  await claude.hasHeard('"subtype":"interrupt"');
  await isOver;
  const more = (await claude.countFlood()) - count;
  findings.must(more === 0, `Claude writes ${more} lines more though nobody reads`);
  const reading = performance.now();
  await claude.apply({ order: "stop_flood" });
  await goesOnUnharmed(scene, findings, reading, interrupt);
  judgeText(scene, findings, floodText(scene));
  const length = judgeFlood(scene, findings, MIN_FULL);
  findings.must(length === count, `of ${count} lines that Claude wrote, ${length} are told`);
}

/** Waits until an endless flood stops, which only full pipes cause. Returns how many lines it has had. */
async function fullPipes({ claude }: Scene): Promise<number> {
  for (let before = -1; ; ) {
    const count = await claude.countFlood();
    if (count === before) return count;
    before = count;
    await areStill(claude.pid, claude.parent);
  }
}
