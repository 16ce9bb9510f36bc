/**
 * At least one line of every kind that Claude prints. `source` names the version and the scenario of a
 * recording (long lists and texts are shortened), or says how the line was made.
 */
import { join } from "node:path";
import { readJsonLines } from "../drivers/json-lines.ts";

export type Line = Readonly<Record<string, unknown>>;

export type KindFixture = { readonly kind: string; readonly source: string; readonly line: Line };

const PATH = join(import.meta.dir, "..", "fixtures", "kinds.jsonl");

/** All fixtures, sorted by kind. */
export const KIND_FIXTURES = readJsonLines(PATH) as readonly KindFixture[];

/** The first line of a kind, which is a recorded one if there is any. */
export function fixtureOf(kind: string): Line {
  const found = KIND_FIXTURES.find((fixture) => fixture.kind === kind);
  if (found === undefined) throw new Error(`no fixture of ${kind}`);
  return found.line;
}
