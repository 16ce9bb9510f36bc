/**
 * Benchmarks of this checkout beside those of another one, in turn, so that both meet the same conditions.
 * Reads the tables that they print. The arguments are their names; `--against` is the other checkout.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { endOnWrongArguments, PAIRED_FLAGS, parseRounds } from "./bench-arguments.ts";
import { median } from "./findings.ts";

/** The results of one checkout's runs: the figures of each row in the order of the rounds, by its name. */
type Figures = ReadonlyMap<string, readonly number[]>;

/** A figure counts as worse beyond this ratio and beyond its noise. */
const WORSE = 1.1;

/** Finds a speed by the name of the row or the column, not of the title: more is better. */
const SPEED = /: .*(?:\/s\b|a second)/;

/** The numbers of tables: each with the names of its table, its row and its column. */
export function figuresIn(output: string): [name: string, value: number][] {
  let title = "";
  let columns: readonly string[] = [];
  return output.split("\n").flatMap((line) => {
    const [, what, value] = /^ {2}(\S.*?) {2,}(.+)$/.exec(line) ?? [];
    if (line.startsWith("   ")) columns = line.trim().split(/ {2,}/);
    else if (line !== "" && !line.startsWith(" ")) [title, columns] = [line.replace(/:.*/, ""), []];
    if (what === undefined || value === undefined) return [];
    const numbers = value.replaceAll(/\([^)]*\)/g, "").match(/\d+(?:\.\d+)?/g) ?? [];
    return numbers.map((number, at): [string, number] => {
      const column = columns[at] ?? (at === 0 ? "" : at + 1);
      return [`${title}: ${what} ${column}`.trimEnd(), Number(number)];
    });
  });
}

async function runIn(
  folder: string,
  name: string,
  flags: readonly string[],
): Promise<[string, number][]> {
  const child = Bun.spawn([process.execPath, `tugtalk/bench/${name}.ts`, ...flags], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) console.log(`${name} failed, or broke a bound, in ${folder}`);
  return figuresIn(output);
}

/** One round each, and of peers the contenders that differ between checkouts, and their floor. */
function flagsOf(name: string, folders: readonly string[], only?: string): readonly string[] {
  if (name === "channels") return ["--rounds=1"];
  if (name !== "peers") return [];
  const isBuilt = folders.every((folder) => existsSync(join(folder, "dist", "tugtalk")));
  const own = isBuilt ? ["source", "binary"] : ["source"];
  const contenders = own.flatMap((contender) => [contender, `${contender} in one process`]);
  return [
    "--rounds=1",
    `--contenders=${["floor B", ...contenders].join(",")}`,
    ...(only === undefined ? [] : [`--only=${only}`]),
  ];
}

function collected(runs: readonly (readonly [string, number])[]): Figures {
  return new Map(
    [...Map.groupBy(runs, ([name]) => name)].map(([name, own]) => [
      name,
      own.map(([, value]) => value),
    ]),
  );
}

/**
 * A line for each figure that both checkouts have: both medians, the median of the ratios by round, and the
 * noise of the old one.
 */
export function formatPairs(oldFigures: Figures, newFigures: Figures): string[] {
  return [...newFigures].flatMap(([name, values]) => {
    const before = oldFigures.get(name);
    if (before === undefined) return [];
    const ratios = values.map((value, round) => ratioOf(value, before[round] ?? Number.NaN));
    const growth = median(ratios.filter((ratio) => !Number.isNaN(ratio)));
    const ratio = SPEED.test(name) ? 1 / growth : growth;
    const noise = ratioOf(Math.max(...before), Math.min(...before));
    const mark = ratio > WORSE && ratio > noise ? "   WORSE" : "";
    return [
      `  ${name}   ${median(before)} → ${median(values)}   ${ratio.toFixed(2)} × (noise ${noise.toFixed(2)} ×)${mark}`,
    ];
  });
}

function ratioOf(value: number, other: number): number {
  return value === other ? 1 : value / other;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: PAIRED_FLAGS, allowPositionals: true });
  const [rounds, other] = [parseRounds(values.rounds), resolve(values.against)];
  for (const name of positionals) {
    const flags = flagsOf(name, [other, process.cwd()], values.only);
    const olds: [string, number][] = [];
    const news: [string, number][] = [];
    for (let round = 0; round < rounds; round += 1) {
      olds.push(...(await runIn(other, name, flags)));
      news.push(...(await runIn(process.cwd(), name, flags)));
    }
    console.log(`${name}: old → new, medians of ${rounds}`);
    for (const line of formatPairs(collected(olds), collected(news))) console.log(line);
  }
}

if (import.meta.main) await endOnWrongArguments("paired", main);
