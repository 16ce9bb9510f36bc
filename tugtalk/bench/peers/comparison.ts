/** The figures of all rounds, their summary, and their printed form. */
import { median } from "../findings.ts";
import { BASE } from "./contenders.ts";
import type { Measures } from "./scenario.ts";

/** The figures of one contender in one round of a scenario. */
export type Sample = {
  readonly scenario: string;
  readonly contender: string;
  readonly round: number;
  readonly measures: Measures;
};

/** The median of a measure, and of its ratios to the base of the same round; without a base no ratio. */
export type Compared = {
  readonly contender: string;
  readonly measure: string;
  readonly median: number;
  readonly ratio?: number;
};

/** One row for each contender and measure of the samples of one scenario, compared with `base`. */
export function compare(samples: readonly Sample[], base = BASE): Compared[] {
  const bases = new Map(
    samples.filter(({ contender }) => contender === base).map((sample) => [sample.round, sample]),
  );
  return [...Map.groupBy(samples, ({ contender }) => contender)].flatMap(([contender, own]) =>
    Object.keys(own[0]?.measures ?? {}).map((measure) => {
      const measured = (sample: Sample | undefined) => sample?.measures[measure] ?? Number.NaN;
      const ratios = own.map((sample) => measured(sample) / measured(bases.get(sample.round)));
      const ratio = median(ratios.filter(Number.isFinite));
      return {
        contender,
        measure,
        median: median(own.map(measured)),
        ...(!Number.isNaN(ratio) && { ratio }),
      };
    }),
  );
}

/** The rows as a table: a line for each contender, a column for each measure. */
export function formatTable(title: string, rows: readonly Compared[]): string {
  const measures = [...new Set(rows.map(({ measure }) => measure))];
  const byContender = Map.groupBy(rows, ({ contender }) => contender);
  const table = [
    ["", ...measures],
    ...[...byContender].map(([contender, own]) => [contender, ...own.map(formatCell)]),
  ];
  const widths = ["", ...measures].map((_, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  );
  const lines = table.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("   "),
  );
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function formatCell({ median: value, ratio }: Compared): string {
  return ratio === undefined ? short(value) : `${short(value)} (${ratio.toFixed(2)} ×)`;
}

export function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
