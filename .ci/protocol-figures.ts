/** The figures of the overview, read from the pages of the benchmark and the comparison. Pure. */
import { table } from "./markdown-tables.ts";

const CONTENDERS = ["binary", "SDK on Bun", "SDK on Node", "ACP on Bun", "ACP on Node"];

/**
 * A row of the table: its text, the scenario, the number of the column there, and the suffix of longer names.
 */
type Measure = readonly [words: string, scenario: string, column: number, suffix?: string];

const MEASURES: readonly Measure[] = [
  ["start to the first text, ms", "start", 0],
  ["processor time of a piece of text in a flood, µs", "bulk", 0],
  ["delay of a piece of text at 1,000 a second, µs", "paced", 1],
  ["delay of a prompt, the first 200, µs", "prompts", 0],
  ["delay of a prompt after a thousand, µs", "late-prompts", 0],
  ["memory when idle (RSS), MB", "memory", 0],
  ["memory after a million pieces of text (RSS), MB", "memory", 2],
  ["a line of 50 MB, ms", "long-line", 1],
  ["20 sessions, a process for each: memory (PSS), MB", "sessions", 0],
  ["20 sessions in one process: memory (PSS), MB", "sessions", 0, " in one process"],
];

/** The medians of `roadmap/performance.md` for tugtalk and its peers. */
export function peerTable(performance: string): string {
  const [, measured = ""] = performance.split("<!-- measured -->");
  const [, day, machine] =
    measured.match(/^Measured on ([\d-]+) .* rounds, on (.+), with a load/m) ?? [];
  const rows = MEASURES.map(([words, scenario, column, suffix = ""]) => [
    words,
    ...CONTENDERS.map((name) => medianOf(measured, scenario, `${name}${suffix}`, column)),
  ]);
  const head = ["median", "tugtalk", ...CONTENDERS.slice(1)];
  return `Measured on ${day} on ${machine}.\n\n${table(head, rows)}`;
}

function medianOf(text: string, scenario: string, name: string, column: number): string {
  const [, rest = ""] = text.split(`\n${scenario}: `);
  const row = (rest.split("```")[0] ?? "").split("\n").find((one) => one.startsWith(`  ${name}  `));
  return [...(row ?? "").matchAll(/([\d.]+) \(/g)][column]?.[1] ?? "none";
}

/** How many scenarios of `roadmap/acp.md` each side passes. */
export function comparisonCounts(comparison: string): string {
  const cells = comparison
    .split("\n")
    .flatMap((row) => row.match(/^\| .*\| (\S[^|]*) \|$/)?.[1] ?? []);
  const count = (verdict: string) => cells.filter((cell) => cell.startsWith(verdict)).length;
  const [ours, theirs, both] = [count("**ours**"), count("**theirs**"), count("both")];
  return `Both are right in ${both} scenarios, \`tugtalk acp\` alone in ${ours}, the other agent alone in ${theirs}.`;
}
