/** The properties as tests: how many runs there are is the caller's to say. */
import { expect, test } from "bun:test";
import { IGNORED_KINDS } from "../../src/messages/ignored-kinds.ts";
import { PROPERTIES } from "./bridge-properties.ts";
import { checkProperty } from "./property-check.ts";

/** Declares a test for each property, which share so many runs among them. */
export function testProperties(runs: number, limitMs: number): void {
  for (const { name, share, events, statistics, check } of PROPERTIES) {
    const run = async () => {
      await checkProperty(check(Math.round((runs * share) / 100), limitMs));
      console.log(`${statistics}`);
      expect(statistics.missing(...events)).toEqual([]);
      const unlisted = statistics.silentRows.filter((row) => !Object.hasOwn(IGNORED_KINDS, row));
      expect(unlisted).toEqual([]);
    };
    // A failure is shrunk until the limit; what follows it takes no time.
    test(name, run, limitMs + 30_000);
  }
}
