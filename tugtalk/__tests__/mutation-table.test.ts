/** The mutation table fits the sources; `npm run mutations` runs the tests against its faults. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findFile, mutate, sourceOf } from "../../.ci/mutation-source.ts";
import { MUTATIONS } from "../../.ci/mutation-table.ts";

const PROJECT = join(import.meta.dir, "../..");

test("each mutation changes a text that its source has exactly once, and names tests that exist", () => {
  for (const mutation of MUTATIONS) {
    const source = readFileSync(join(PROJECT, sourceOf(PROJECT, mutation)), "utf8");
    expect(mutate(source, mutation)).not.toBe(source);
    for (const name of mutation.tests) findFile(PROJECT, `tugtalk/**/${name}.test.ts`);
  }
});
