/** The properties as tests, for any number of runs. */
import { expect, test } from "bun:test";
import { IGNORED_KINDS } from "../../replay/ignored-kinds.ts";
import { PROPERTIES, type Property } from "./bridge-properties.ts";
import { checkProperty } from "./property-check.ts";

/** Declares a test for each property; together they have this many runs. */
export function testProperties(runs: number, limitMs: number): void {
  for (const property of PROPERTIES)
    testProperty(property, Math.round((runs * property.share) / 100), limitMs);
}

/** Declares the test of one property. */
export function testProperty(property: Property, runs: number, limitMs: number): void {
  const { name, events, statistics, check } = property;
  const run = async () => {
    await checkProperty(check(runs, limitMs));
    console.log(`${statistics}`);
    expect(statistics.missing(...events)).toEqual([]);
    const unlisted = statistics.silentRows.filter((row) => !Object.hasOwn(IGNORED_KINDS, row));
    expect(unlisted).toEqual([]);
  };
  // Shrinking a failure stops at the limit; the rest takes no time.
  test(name, run, limitMs + 30_000);
}
