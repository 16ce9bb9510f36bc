/** The part of a document that the comparison writes, so that no figure is copied by hand. */
import { compare, formatTable, type Sample } from "./comparison.ts";
import { BASE } from "./contenders.ts";
import { formatTargets } from "./targets.ts";

/** The part stands between these lines. */
const [BEGIN, END] = ["<!-- measured -->", "<!-- /measured -->"];

/** How it was measured. */
export type MeasuredRun = {
  readonly command: string;
  readonly machine: string;
  readonly begunAt: string;
  readonly rounds: number;
  /** Those that took part, in order. */
  readonly contenders: readonly string[];
  /** Those that did not: not there, not chosen, or without a part of what they should deliver. */
  readonly absent: readonly string[];
  readonly scenarios: readonly MeasuredScenario[];
};

type MeasuredScenario = {
  readonly name: string;
  readonly title: string;
  /** Those that it is for. */
  readonly contenders: readonly string[];
};

/** The document with another part between the marks; throws where it has no marks. */
export function replaceMeasured(text: string, part: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`no part between ${BEGIN} and ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n\n${part}\n\n${text.slice(end)}`;
}

export function formatMeasured(run: MeasuredRun, samples: readonly Sample[]): string {
  const { command, machine, begunAt, rounds, contenders, absent } = run;
  return [
    `Measured on ${begunAt} by \`${command}\`, ${rounds} round${rounds === 1 ? "" : "s"}, on ${machine}.`,
    `Took part: ${contenders.join(", ")}.${absent.length === 0 ? "" : ` Missing: ${absent.join(", ")}.`}`,
    "A bound that names a contender is the median of the ratios to it in the same round; the other figures are medians.",
    formatTargets(samples),
    ...run.scenarios.map((scenario) => formatScenario(scenario, samples)),
  ].join("\n\n");
}

function formatScenario(
  { name, title, contenders }: MeasuredScenario,
  samples: readonly Sample[],
): string {
  const own = samples.filter(({ scenario }) => scenario === name);
  if (own.length === 0) return `${title}: not measured.`;
  const measured = new Set(own.map(({ contender }) => contender));
  const missing = contenders.filter((contender) => !measured.has(contender));
  return [
    `\`\`\`text\n${formatTable(title, compare(own))}\n\`\`\``,
    ...(missing.length === 0 ? [] : [`No figure here: ${missing.join(", ")}.`]),
    ...noiseOf(own),
  ].join("\n\n");
}

/** How far the base is from itself in other rounds: less than that tells nothing. */
function noiseOf(own: readonly Sample[]): string[] {
  const base = own.filter(({ contender }) => contender === BASE);
  const ranges = Object.keys(base[0]?.measures ?? {}).map((measure) => {
    const values = base.map(({ measures }) => measures[measure] ?? Number.NaN);
    return `${measure} up to ${(Math.max(...values) / Math.min(...values)).toFixed(2)} ×`;
  });
  return ranges.length === 0
    ? []
    : [`${BASE} against itself in other rounds: ${ranges.join(", ")}.`];
}
