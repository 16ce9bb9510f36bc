/** The part of a document that the comparison writes, so that no figure is copied by hand. */
import { compare, formatTable, type Sample } from "./comparison.ts";
import { BASE } from "./contenders.ts";
import type { Scenario } from "./scenario.ts";
import { formatTargets } from "./targets.ts";

/** The lines around the part. */
const [BEGIN, END] = ["<!-- measured -->", "<!-- /measured -->"];

/** The document with another part between the marks. Throws without marks. */
export function replaceMeasured(text: string, part: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`no part between ${BEGIN} and ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n\n${part}\n\n${text.slice(end)}`;
}

/** The sentence about the measurement, the targets, and a table for each scenario. */
export function formatMeasured(
  how: string,
  scenarios: readonly Pick<Scenario, "name" | "what">[],
  samples: readonly Sample[],
): string {
  return [
    how,
    "A bound that names a contender is the median of the ratios to it in the same round; the other figures are medians.",
    formatTargets(samples),
    ...scenarios.map((scenario) => formatScenario(scenario, samples)),
  ].join("\n\n");
}

function formatScenario(
  { name, what }: Pick<Scenario, "name" | "what">,
  samples: readonly Sample[],
): string {
  const own = samples.filter(({ scenario }) => scenario === name);
  const title = `${name}: ${what}`;
  if (own.length === 0) return `${title}: not measured.`;
  return `\`\`\`text\n${formatTable(title, compare(own))}\n\`\`\`${noiseOf(own)}`;
}

/**
 * The differences of the base from itself in other rounds: smaller differences between contenders mean
 * nothing.
 */
function noiseOf(own: readonly Sample[]): string {
  const base = own.filter(({ contender }) => contender === BASE);
  const ranges = Object.keys(base[0]?.measures ?? {}).map((measure) => {
    const values = base.map(({ measures }) => measures[measure] ?? Number.NaN);
    return `${measure} up to ${(Math.max(...values) / Math.min(...values)).toFixed(2)} ×`;
  });
  return ranges.length === 0
    ? ""
    : `\n\n${BASE} against itself in other rounds: ${ranges.join(", ")}.`;
}
