/**
 * Keeps the tables of the protocol reference true: each test that they name exists under that name,
 * each section has its row, and each statement says on which versions it was seen.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { testNames } from "./support/test-names.ts";

const ROADMAP = join(import.meta.dir, "..", "..", "..", "roadmap");
const REFERENCE = readFileSync(join(ROADMAP, "tugtalk-protocol.md"), "utf8");
const DECISIONS = readFileSync(join(ROADMAP, "decisions.md"), "utf8");

type Row = {
  readonly of: string;
  readonly what: string;
  readonly built: string;
  /** `file › group › name`. */
  readonly shownBy: readonly string[];
};

/** What stands under a heading of the second rank. */
function section(heading: string): string {
  return REFERENCE.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

/** The rows of the table under a heading, without its head. */
function rowsOf(heading: string): Row[] {
  const [, , ...lines] = section(heading)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  return lines.map((line) => {
    const [of = "", what = "", built = "", shown = ""] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    const shownBy = [...shown.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    return { of, what, built, shownBy };
  });
}

const CONFORMANCE = rowsOf("Conformance");
const PLANNED = rowsOf("The plan's tests");

/** The tests of a file, read once. */
const read = new Map<string, readonly string[]>();
function testsIn(file: string): readonly string[] {
  const path = join(import.meta.dir, file);
  const names = read.get(file) ?? (existsSync(path) ? testNames(readFileSync(path, "utf8")) : []);
  read.set(file, names);
  return names;
}

function isThere(named: string): boolean {
  const [file = "", ...name] = named.split(" › ");
  return testsIn(file).includes(name.join(" › "));
}

describe.each([
  ["the table of conformance", CONFORMANCE],
  ["the table of the plan's tests", PLANNED],
] as const)("%s", (_name, rows) => {
  test("names only tests that exist", () => {
    const lost = rows.flatMap(({ shownBy }) => shownBy.filter((named) => !isThere(named)));
    expect(lost).toEqual([]);
  });

  test("has no empty cell", () => {
    const empty = rows.filter(
      ({ of, what, built, shownBy }) => [of, what, built].includes("") || shownBy.length === 0,
    );
    expect(empty).toEqual([]);
    expect(rows.length).toBeGreaterThan(20);
  });

  test("cites only what decisions.md has", () => {
    const cited = rows.flatMap(({ built }) => built.match(/\bD\d\d\b|\bPN-\d+\b|\bT0\d\b/g) ?? []);
    const lost = cited.filter(
      (id) => !new RegExp(`^(### ${id} |\\| ${id} *\\|)`, "m").test(DECISIONS),
    );
    expect(lost).toEqual([]);
  });
});

test("each of the 23 sections has its row", () => {
  const parts = [..."abcdef"].map((letter) => `§2${letter}`);
  const rest = Array.from({ length: 21 }, (_, index) => `§${index + 3}`);
  expect(CONFORMANCE.map(({ of }) => of)).toEqual(["§1", ...parts, ...rest]);
});

test("each list of the plan has its rows", () => {
  const lists = [...new Set(PLANNED.map(({ of }) => of.replaceAll("`", "")))];
  expect(lists).toEqual([
    "step 3",
    "step 4",
    "buildClaudeArgs",
    "routeTopLevelEvent",
    "mapStreamEvent",
    "control.ts",
    "SessionManager",
    "handleUserMessage",
    "types.test.ts",
    "permissions.test.ts",
    "main.test.ts",
    "ipc.test.ts",
  ]);
});

test("each statement of the reference says on which versions it was seen", () => {
  const sections = REFERENCE.split(/\n(?=## §)/).slice(1);
  const statements = sections.flatMap((text) =>
    (text.split(/\n## (?!§)/)[0] ?? "")
      .replaceAll(/```[\s\S]*?```/g, "")
      .split("\n")
      .slice(1)
      .filter((line) => /^- |^[A-Z`]/.test(line) && !line.endsWith(":")),
  );
  expect(statements.length).toBeGreaterThan(200);
  const unmarked = statements.filter((line) => !/\bV(38|197|330)\b|\(all\b|on all\b/.test(line));
  expect(unmarked).toEqual([]);
});

test("each table of the reference says on which versions its rows were seen", () => {
  const tables = (REFERENCE.split("\n## Conformance\n")[0] ?? "").split(/\n\n/);
  const heads = tables.filter((block) => block.startsWith("|")).map((block) => block.split("\n"));
  expect(heads.length).toBeGreaterThan(10);
  const silent = heads.filter(([head = ""]) => !/\bV38\b.*\bV330\b|\bV197\b|seen on/.test(head));
  expect(silent.map(([head]) => head)).toEqual([]);
});
