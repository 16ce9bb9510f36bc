/**
 * Benchmarks of this checkout beside those of another one, in turn, so that both meet the same machine.
 * Reads the tables that they print. The arguments are their names; `--against` is the other checkout.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ArgumentError, endOnWrongArguments, parseRounds } from "./bench-arguments.ts";
import { median } from "./findings.ts";

export const PAIRED_FLAGS = {
  against: { type: "string" },
  rounds: { type: "string", default: "5" },
} as const;

/** What runs of one checkout have printed: the figures of each row, by its name. */
type Figures = ReadonlyMap<string, readonly number[]>;

/** The contenders of `peers` that differ between two checkouts, and their floor. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  peers: ["--rounds=1", "--contenders=floor B,source,source in one process"],
  channels: ["--rounds=1"],
};

/** A figure counts as worse beyond this ratio and beyond its noise. */
const WORSE = 1.1;

/** A speed: more is better. */
const SPEED = /\/s\b|a second/;

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

async function runIn(folder: string, name: string): Promise<[string, number][]> {
  const child = Bun.spawn([process.execPath, `tugtalk/bench/${name}.ts`, ...(FLAGS[name] ?? [])], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) console.log(`${name} failed in ${folder}`);
  return figuresIn(output);
}

function collected(runs: readonly (readonly [string, number])[]): Figures {
  return new Map(
    [...Map.groupBy(runs, ([name]) => name)].map(([name, own]) => [
      name,
      own.map(([, value]) => value),
    ]),
  );
}

/** A line for each figure that both have. */
export function formatPairs(oldFigures: Figures, newFigures: Figures): string[] {
  return [...newFigures].flatMap(([name, values]) => {
    const before = oldFigures.get(name);
    if (before === undefined) return [];
    const [was, is] = [median(before), median(values)];
    const ratio = SPEED.test(name) ? was / is : is / was;
    const noise = Math.max(...before) / Math.min(...before);
    const mark = ratio > WORSE && ratio > noise ? "   WORSE" : "";
    return [
      `  ${name}   ${was} → ${is}   ${ratio.toFixed(2)} × (noise ${noise.toFixed(2)} ×)${mark}`,
    ];
  });
}

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: PAIRED_FLAGS,
    allowPositionals: true,
  });
  const { against } = values;
  if (against === undefined || positionals.length === 0)
    throw new ArgumentError("name benchmarks, and the other checkout by --against");
  for (const name of positionals) {
    const olds: [string, number][] = [];
    const news: [string, number][] = [];
    for (let round = 0; round < parseRounds(values.rounds); round += 1) {
      olds.push(...(await runIn(resolve(against), name)));
      news.push(...(await runIn(process.cwd(), name)));
    }
    console.log(`${name}: old → new, medians of ${values.rounds}`);
    for (const line of formatPairs(collected(olds), collected(news))) console.log(line);
  }
}

if (import.meta.main) await endOnWrongArguments("paired", async () => main(process.argv.slice(2)));
