/**
 * The bridge beside its peers and the floor. Each contender is driven over pipes in turn, round by round,
 * with the same stand-in for Claude. It is compared with floor B of the same round. No figure is a limit; the
 * run checks that each contender delivers every message. roadmap/performance.md explains the figures.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  ArgumentError,
  chosen,
  endOnWrongArguments,
  PEERS_FLAGS,
  parseRounds,
} from "./bench-arguments.ts";
import { sized } from "./findings.ts";
import { ACP_DIALECT } from "./peers/acp-dialect.ts";
import { ACP_SCENARIOS } from "./peers/acp-scenarios.ts";
import { compare, formatTable, type Sample } from "./peers/comparison.ts";
import { type Contender, localContenders } from "./peers/contenders.ts";
import { installedContenders } from "./peers/installed-peers.ts";
import { LOAD_SCENARIOS } from "./peers/load-scenarios.ts";
import { formatMeasured, replaceMeasured } from "./peers/measured-document.ts";
import type { Workspace } from "./peers/peer-process.ts";
import { PROGRAM_SCENARIOS } from "./peers/program-scenarios.ts";
import { writePlannedClaude, writeQuickClaude } from "./peers/quick-claude.ts";
import type { Scenario, Setting } from "./peers/scenario.ts";
import { SPEED_SCENARIOS } from "./peers/speed-scenarios.ts";
import { formatTargets, targetsIn } from "./peers/targets.ts";
import { findLosses } from "./peers/whole-delivery.ts";

const ROUNDS = sized(5, 1);

const ALL_SCENARIOS = [
  ...SPEED_SCENARIOS,
  ...PROGRAM_SCENARIOS,
  ...LOAD_SCENARIOS,
  ...ACP_SCENARIOS,
];

async function main(): Promise<void> {
  const { values } = parseArgs({ options: PEERS_FLAGS });
  const { only, contenders, table } = values;
  const rounds = parseRounds(values.rounds ?? String(ROUNDS));
  const scenarios = chosen(ALL_SCENARIOS, only);
  // The short form installs nothing.
  const all = [...localContenders(), ...(values.short === true ? [] : await installedContenders())];
  const candidates = chosen(all, contenders);
  if (table !== undefined) checkTable(table);
  const how = describeRun(rounds);
  const folder = mkdtempSync(join(tmpdir(), "peers-"));
  try {
    const setting = {
      folder,
      planned: writePlannedClaude(folder),
      quick: writeQuickClaude(folder),
    };
    const whole = await keepWhole(candidates, setting);
    const samples: Sample[] = [];
    for (const scenario of scenarios) {
      const own = await runScenario(scenario, whole, setting, rounds);
      samples.push(...own);
      console.log(`\n${formatTable(`${scenario.name}: ${scenario.what}`, compare(own))}`);
      // Written after each scenario, for a run that ends early.
      if (table !== undefined) writeMeasured(table, formatMeasured(how, scenarios, samples));
    }
    console.log(`\n${how}\n\n${formatTargets(samples, targetsIn(samples))}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws before the measurements if the tables could not be written. */
function checkTable(path: string): void {
  try {
    replaceMeasured(readFileSync(path, "utf8"), "");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ArgumentError(`--table=${path}: ${reason}`, { cause });
  }
}

/** The contenders that deliver every message. The exit code is 1 if one does not. */
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

/** The losses of a contender. One that fails loses everything. */
async function lossesOf(contender: Contender, workspace: Workspace): Promise<string[]> {
  try {
    return await findLosses(contender, workspace);
  } catch (error) {
    return [`everything: ${error}`];
  }
}

/** Each round begins with another contender, so that none always follows the same one. */
async function runScenario(
  scenario: Scenario,
  contenders: readonly Contender[],
  setting: Setting,
  rounds: number,
): Promise<Sample[]> {
  const samples = new Map(contenders.map(({ name }): [string, Sample[]] => [name, []]));
  const taking = contenders.filter((contender) => takesPart(scenario, contender));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % Math.max(taking.length, 1);
    for (const contender of [...taking.slice(first), ...taking.slice(0, first)]) {
      const sample = await sampleOf(scenario, contender, setting, round);
      if (sample !== undefined) samples.get(contender.name)?.push(sample);
    }
  }
  return [...samples.values()].flat();
}

/** Contenders whose sessions share a process take part only in scenarios with many sessions. */
function takesPart(
  { hasManySessions, asksProgram, needsAcp, needsFiles }: Scenario,
  contender: Contender,
): boolean {
  if (needsFiles === true && contender.files === undefined) return false;
  if (needsAcp === true && contender.dialect !== ACP_DIALECT) return false;
  if (asksProgram === true) return contender.program !== undefined;
  return contender.isAlone !== true && (hasManySessions === true || contender.isShared !== true);
}

/** Undefined if the contender fails: the others are still measured. */
async function sampleOf(
  { name, measure }: Scenario,
  contender: Contender,
  setting: Setting,
  round: number,
): Promise<Sample | undefined> {
  try {
    const measures = await measure(contender, setting);
    return { scenario: name, contender: contender.name, round, measures };
  } catch (error) {
    console.log(`${contender.name} fails in ${name}: ${error}`);
    process.exitCode = 1;
    return undefined;
  }
}

function describeRun(rounds: number): string {
  const command = ["bun .ci/bench.ts peers", ...process.argv.slice(2).map(quoted)].join(" ");
  const day = new Date().toISOString().slice(0, 10);
  const bytes = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${bytes}, Linux ${release()}, Bun ${Bun.version}`;
  return `Measured on ${day} by \`${command}\`, ${rounds} round${rounds === 1 ? "" : "s"}, on ${machine}, with a load of ${loadavg()[0]?.toFixed(1)} at the start.`;
}

/** A flag in the form of a shell. */
function quoted(flag: string): string {
  return flag.includes(" ") ? `"${flag}"` : flag;
}

function writeMeasured(path: string, part: string): void {
  writeFileSync(path, replaceMeasured(readFileSync(path, "utf8"), part));
}

await endOnWrongArguments("peers", main);
