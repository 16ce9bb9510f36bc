/**
 * Keeps the tables of the protocol reference true: each test that they name exists under that name,
 * each section and each criterion of the plan has its row, and each statement says on which versions it
 * was seen.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { testNames } from "./support/test-names.ts";

const ROOT = join(import.meta.dir, "..", "..");
const ROADMAP = join(ROOT, "roadmap");
const REFERENCE = readFileSync(join(ROADMAP, "tugtalk-protocol.md"), "utf8");
const DECISIONS = readFileSync(join(ROADMAP, "decisions.md"), "utf8");

type Row = {
  readonly of: string;
  readonly what: string;
  readonly built: string;
  /** `file › group › name` of a test, or `.ci/file › step`. */
  readonly shownBy: readonly string[];
};

/** The text under a heading of the second level. */
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
const VIEW_MODELS = rowsOf("The plan's view models");
const CRITERIA = rowsOf("The plan's criteria");

/** The tests of a file, read once. */
const read = new Map<string, readonly string[]>();
function testsIn(file: string): readonly string[] {
  const paths = [...new Bun.Glob(`tugtalk/**/${file}`).scanSync(ROOT)];
  const texts = paths.map((path) => readFileSync(join(ROOT, path), "utf8"));
  const names = read.get(file) ?? texts.flatMap(testNames);
  read.set(file, names);
  return names;
}

/** The steps of a file of continuous integration: lines of a script, or what a step is named there. */
function stepsIn(file: string): readonly string[] {
  const path = join(ROOT, file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const named = [...text.matchAll(/\bname: (["`])(.+?)\1/g)].map(([, , name = ""]) => name);
  return [...text.split("\n"), ...named];
}

function isThere(named: string): boolean {
  const [file = "", ...name] = named.split(" › ");
  const known = file.startsWith(".ci/") ? stepsIn(file) : testsIn(file);
  return known.includes(name.join(" › "));
}

/** The entry of decisions.md for an id of the plan. */
function entryOf(id: string): string {
  const text = DECISIONS.split(`\n### ${id} `)[1]?.split("\n#")[0];
  return text ?? new RegExp(`^\\| ${id} +\\|.*$`, "m").exec(DECISIONS)?.[0] ?? "";
}

/** The plan's requirement was replaced. */
function isReplaced(text: string): boolean {
  return /replaced/i.test(text);
}

/** The entries of decisions.md that a text cites. */
function citedIn(text: string): readonly string[] {
  return text.match(/\bD\d\d\b|\bPN-\d+\b|\bT0\d\b/g) ?? [];
}

describe.each([
  ["the table of conformance", CONFORMANCE],
  ["the table of the plan's tests", PLANNED],
  ["the table of the plan's criteria", CRITERIA],
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
    const cited = rows.flatMap(({ built }) => citedIn(built));
    expect(cited.filter((id) => entryOf(id) === "")).toEqual([]);
  });
});

test("each of the 23 sections has its row", () => {
  const parts = [..."abcdef"].map((letter) => `§2${letter}`);
  const rest = Array.from({ length: 21 }, (_, index) => `§${index + 3}`);
  expect(CONFORMANCE.map(({ of }) => of)).toEqual(["§1", ...parts, ...rest]);
});

test("each row of T03 has a test that fills its view model", () => {
  expect(VIEW_MODELS.map(({ of }) => of)).toEqual([
    "Settings panel",
    "Help panel",
    "Keybindings panel",
    "Context gauge",
    "Cost display",
    "Diff viewer",
    "Task list panel",
    "MCP server status",
    "Permission dialog",
    "Question form",
    "Slash command autocomplete",
    "Session management",
  ]);
  expect(VIEW_MODELS.filter(({ shownBy }) => shownBy.length === 0)).toEqual([]);
  expect(VIEW_MODELS.flatMap(({ shownBy }) => shownBy).filter((named) => !isThere(named))).toEqual(
    [],
  );
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

test("each exit criterion, note and decision of the plan has its row", () => {
  const counted = (length: number, name: (number: number) => string) =>
    Array.from({ length }, (_, index) => name(index + 1));
  expect(CRITERIA.map(({ of }) => of)).toEqual([
    ...counted(14, (number) => `exit ${number}`),
    ...counted(21, (number) => `PN-${number}`),
    ...counted(15, (number) => `D${String(number).padStart(2, "0")}`),
  ]);
});

test("what a criterion has replaced is replaced in decisions.md as well, and nothing else is", () => {
  const differing = CRITERIA.filter(({ of, built }) =>
    of.startsWith("exit")
      ? isReplaced(built) && !citedIn(built).some((id) => isReplaced(entryOf(id)))
      : isReplaced(built) !== isReplaced(entryOf(of)),
  );
  expect(differing.map(({ of }) => of)).toEqual([]);
  expect(CRITERIA.filter(({ built }) => isReplaced(built)).length).toBeGreaterThan(0);
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
