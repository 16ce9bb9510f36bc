/**
 * One line and more of every kind that Claude prints. `source` is the version and the scenario of a
 * recording (long lists and texts are cut short), or says how the line was made.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Line = Readonly<Record<string, unknown>>;

export type KindFixture = { readonly kind: string; readonly source: string; readonly line: Line };

const PATH = join(import.meta.dir, "..", "fixtures", "kinds.jsonl");

/** All of them, sorted by kind. */
export const KIND_FIXTURES: readonly KindFixture[] = readFileSync(PATH, "utf8")
  .split("\n")
  .filter((text) => text !== "")
  .map((text) => JSON.parse(text) as KindFixture);

/** The first line of a kind: the recorded one where there is one. */
export function fixtureOf(kind: string): Line {
  const found = KIND_FIXTURES.find((fixture) => fixture.kind === kind);
  if (found === undefined) throw new Error(`no fixture of ${kind}`);
  return found.line;
}
