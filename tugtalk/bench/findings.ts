/** The size of a benchmark, its results as a table, and whether each bound holds. */

/**
 * With `--short` a benchmark does the least that shows whether all messages arrive, and judges no speed and
 * no growth: both depend on the other work of the machine.
 */
const IS_SHORT = process.argv.includes("--short");

/** The size of the form that runs. */
export function sized(full: number, short: number): number {
  return IS_SHORT ? short : full;
}

/** One line of the table. Without a bound it is for information only. */
export type Finding = {
  readonly what: string;
  readonly value: string;
  readonly bound?: string;
  readonly isKept?: boolean;
};

/** A value without a bound. */
export function emitted(what: string, value: string | number): Finding {
  return { what, value: String(value) };
}

/** A number that may not be larger than another one. */
export function atMost(what: string, value: number, limit: number, unit: string): Finding {
  const isKept = value <= limit;
  return { what, value: `${short(value)} ${unit}`, bound: `≤ ${short(limit)} ${unit}`, isKept };
}

/**
 * A speed or a growth that may not be larger than another one. The short form of a benchmark does not judge
 * it.
 */
export function fastEnough(what: string, value: number, limit: number, unit: string): Finding {
  return IS_SHORT ? emitted(what, `${short(value)} ${unit}`) : atMost(what, value, limit, unit);
}
/** A condition that must hold. */
export function exactly(what: string, value: unknown, wanted: unknown): Finding {
  return { what, value: String(value), bound: String(wanted), isKept: value === wanted };
}

/** Prints the table; the exit code is 1 when a bound is exceeded. */
export function report(title: string, findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ what }) => what.length));
  console.log(title);
  for (const { what, value, bound, isKept } of findings) {
    const verdict = bound === undefined ? "" : `   (${bound}: ${isKept ? "kept" : "BROKEN"})`;
    console.log(`  ${what.padEnd(width)}   ${value}${verdict}`);
  }
  if (findings.some(({ isKept }) => isKept === false)) process.exitCode = 1;
}

/** The median. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value below which this part of the values lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN;
}

function short(value: number): string {
  return Number.isInteger(value) ? value.toString() : value.toFixed(2);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
