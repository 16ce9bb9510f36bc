/** What a bench has measured, as a table, and whether each stated bound holds. */

/** One line of the table. Without a bound it is told for the reader only. */
export type Finding = {
  readonly what: string;
  readonly value: string;
  readonly bound?: string;
  readonly isKept?: boolean;
};

/** Something that is only told. */
export function emitted(what: string, value: string | number): Finding {
  return { what, value: String(value) };
}

/** A number that may not be larger than another one. */
export function atMost(what: string, value: number, limit: number, unit: string): Finding {
  const isKept = value <= limit;
  return { what, value: `${short(value)} ${unit}`, bound: `≤ ${short(limit)} ${unit}`, isKept };
}

/** Something that must be as it is said. */
export function exactly(what: string, value: unknown, wanted: unknown): Finding {
  return { what, value: String(value), bound: String(wanted), isKept: value === wanted };
}

/** Prints the table; a bound that is broken shows in the exit code. */
export function report(title: string, findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ what }) => what.length));
  console.log(title);
  for (const { what, value, bound, isKept } of findings) {
    const verdict = bound === undefined ? "" : `   (${bound}: ${isKept ? "kept" : "BROKEN"})`;
    console.log(`  ${what.padEnd(width)}   ${value}${verdict}`);
  }
  if (findings.some(({ isKept }) => isKept === false)) process.exitCode = 1;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function short(value: number): string {
  return Number.isInteger(value) ? value.toString() : value.toFixed(2);
}
