/**
 * The bridge beside its peers and the floors: each contender is driven over pipes in turn, round by round,
 * with the same stand-in for Claude, and compared with floor B of the same round. No figure is a limit;
 * what is checked is that each contender delivers everything. roadmap/performance.md says how to read it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { ArgumentError, endOnWrongArguments } from "./bench-arguments.ts";
import { compare, formatTable, type Sample } from "./peers/comparison.ts";
import { type Contender, EXPECTED, localContenders } from "./peers/contenders.ts";
import { installedContenders } from "./peers/installed-peers.ts";
import { LOAD_SCENARIOS } from "./peers/load-scenarios.ts";
import { formatMeasured, type MeasuredRun, replaceMeasured } from "./peers/measured-document.ts";
import type { Workspace } from "./peers/peer-process.ts";
import { writePlannedClaude, writeQuickClaude } from "./peers/quick-claude.ts";
import { chosen, parseRunOptions, type RunOptions } from "./peers/run-options.ts";
import type { Scenario, Setting } from "./peers/scenario.ts";
import { SPEED_SCENARIOS } from "./peers/speed-scenarios.ts";
import { findLosses } from "./peers/whole-delivery.ts";

async function main(options: RunOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "peers-"));
  try {
    const [planned, quick] = [writePlannedClaude(folder), writeQuickClaude(folder)];
    await runComparison({ folder, planned, quick, isQuick: options.isQuick }, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runComparison(setting: Setting, options: RunOptions): Promise<void> {
  const scenarios = chosen([...SPEED_SCENARIOS, ...LOAD_SCENARIOS], options.only);
  const candidates = allContenders(options);
  if (options.table !== undefined) checkTable(options.table);
  const contenders = await keepWhole(chosen(candidates, options.contenders), setting);
  const run = describeRun(options, scenarios, contenders);
  const samples: Sample[] = [];
  for (const scenario of scenarios) {
    const own = await runScenario(scenario, contenders, setting, options.rounds);
    samples.push(...own);
    const title = `${scenario.name}: ${scenario.what(setting.isQuick)}`;
    console.log(`\n${formatTable(title, compare(own))}`);
    // What was measured so far is kept if the run ends early.
    if (options.json !== undefined) writeFileSync(options.json, formatJson(samples));
    if (options.table !== undefined) writeMeasured(options.table, formatMeasured(run, samples));
  }
}

/** Throws before anything is measured where the tables could not be written. */
function checkTable(path: string): void {
  try {
    replaceMeasured(readFileSync(path, "utf8"), "");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ArgumentError(`--table=${path}: ${reason}`, { cause });
  }
}

/** The quick run installs nothing. */
function allContenders({ isQuick }: RunOptions): Contender[] {
  return isQuick ? localContenders() : [...localContenders(), ...installedContenders()];
}

/** Those that deliver everything. The exit code is 1 if one does not. */
async function keepWhole(
  contenders: readonly Contender[],
  { folder, planned }: Setting,
): Promise<Contender[]> {
  const whole: Contender[] = [];
  for (const contender of contenders) {
    const losses = await lossesOf(contender, { folder, claude: planned });
    const verdict = losses.length === 0 ? "delivers everything" : `LOSES ${losses.join(", ")}`;
    console.log(`${contender.name}: ${verdict}`);
    if (losses.length === 0) whole.push(contender);
    else process.exitCode = 1;
  }
  return whole;
}

/** A contender that fails loses everything. */
async function lossesOf(contender: Contender, workspace: Workspace): Promise<string[]> {
  try {
    return await findLosses(contender, workspace);
  } catch (error) {
    return [`everything: ${error}`];
  }
}

/** Sessions that share a process are only there to be many. */
function suited({ hasManySessions }: Scenario, all: readonly Contender[]): Contender[] {
  return all.filter(({ isShared }) => hasManySessions === true || isShared !== true);
}

/** Each round begins with another contender, so that none always follows the same one. */
async function runScenario(
  scenario: Scenario,
  contenders: readonly Contender[],
  setting: Setting,
  rounds: number,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const taking = suited(scenario, contenders);
  for (let round = 0; round < rounds; round += 1) {
    const first = round % Math.max(taking.length, 1);
    for (const contender of [...taking.slice(first), ...taking.slice(0, first)])
      samples.push(...(await sampleOf(scenario, contender, setting, round)));
  }
  const places = new Map(contenders.map((contender, place) => [contender.name, place]));
  return samples.toSorted(
    (one, other) =>
      one.round - other.round ||
      (places.get(one.contender) ?? 0) - (places.get(other.contender) ?? 0),
  );
}

/** None where the contender fails: the others are measured all the same. */
async function sampleOf(
  { name, measure }: Scenario,
  contender: Contender,
  setting: Setting,
  round: number,
): Promise<Sample[]> {
  try {
    const measures = await measure(contender, setting);
    return [{ scenario: name, contender: contender.name, round, measures }];
  } catch (error) {
    console.log(`${contender.name} fails in ${name}: ${error}`);
    process.exitCode = 1;
    return [];
  }
}

function describeRun(
  { isQuick, rounds }: RunOptions,
  scenarios: readonly Scenario[],
  contenders: readonly Contender[],
): MeasuredRun {
  const names = contenders.map(({ name }) => name);
  const [processor] = cpus();
  const bytes = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  return {
    command: ["bun .ci/bench.ts peers", ...process.argv.slice(2).map(quoted)].join(" "),
    machine: `${cpus().length} × ${processor?.model}, ${bytes}, Linux ${release()}, Bun ${Bun.version}, with a load of ${loadavg()[0]?.toFixed(1)} at the start`,
    begunAt: new Date().toISOString().slice(0, 10),
    rounds,
    contenders: names,
    absent: EXPECTED.filter((name) => !names.includes(name)),
    scenarios: scenarios.map((scenario) => ({
      name: scenario.name,
      title: `${scenario.name}: ${scenario.what(isQuick)}`,
      contenders: suited(scenario, contenders).map(({ name }) => name),
    })),
  };
}

/** A flag as a shell takes it. */
function quoted(flag: string): string {
  return flag.includes(" ") ? `"${flag}"` : flag;
}

function writeMeasured(path: string, part: string): void {
  writeFileSync(path, replaceMeasured(readFileSync(path, "utf8"), part));
}

function formatJson(samples: readonly Sample[]): string {
  const machine = { processors: cpus().map(({ model }) => model), linux: release() };
  const bun = Bun.version;
  const summary = Object.fromEntries(
    [...Map.groupBy(samples, ({ scenario }) => scenario)].map(([name, own]) => [
      name,
      compare(own),
    ]),
  );
  return `${JSON.stringify({ machine, bun, summary, samples }, null, 2)}\n`;
}

await endOnWrongArguments("peers", async () => main(parseRunOptions(process.argv.slice(2))));
