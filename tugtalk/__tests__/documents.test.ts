/**
 * Checks the documents: their links and paths, and README.md and the roadmap against package.json.
 */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import {
  brokenLinks,
  document,
  ROOT,
  repositoryFiles,
  rowNames,
  section,
} from "./support/markdown.ts";

const PROTOCOL = document("tugtalk/PROTOCOL.md");
const README = document("README.md");
const DECISIONS = document("roadmap/decisions.md");
const REFERENCE = document("roadmap/tugtalk-protocol.md");

const FILES = repositoryFiles();
const DOCUMENTS = FILES.filter((path) => path.endsWith(".md"));
const SOURCES = FILES.filter((path) => path.endsWith(".ts"));

function sorted(names: Iterable<string>): string[] {
  return [...names].sort();
}

/** Where a pattern matches in the sources, as `file: match`; this file speaks of patterns and is left out. */
function citations(
  pattern: RegExp,
): { readonly where: string; readonly cited: RegExpMatchArray }[] {
  return SOURCES.filter((path) => !path.endsWith("documents.test.ts")).flatMap((path) =>
    [...document(path).matchAll(pattern)].map((cited) => ({
      where: `${path}: ${cited[0]}`,
      cited,
    })),
  );
}

test("README.md names the versions of Claude that are measured, and no others", () => {
  const [, section = ""] = README.split("### Versions of Claude Code");
  const named = section.split("\n## ")[0]?.match(/\d+\.\d+\.\d+/g) ?? [];
  expect([...new Set(named)]).toEqual([...MEASURED_VERSIONS]);
});

/** A file of a session, of the state folder or of a release is named alone. */
const PATH = /`((?:tugtalk|roadmap|\.ci|\.github)\/[\w./-]*|LICENSE|[A-Z-]+\.md)`/g;

test("every path that a document names exists", () => {
  const named = DOCUMENTS.flatMap((from) =>
    [...document(from).matchAll(PATH)].map(([, path = ""]) => ({ from, path })),
  );
  expect(named.length).toBeGreaterThan(200);
  const isThere = ({ from, path }: (typeof named)[number]) =>
    IMPORTED.includes(path) ||
    [path, join(dirname(from), path)].some((name) => FILES.some((file) => file.startsWith(name)));
  expect(named.filter((one) => !isThere(one))).toEqual([]);
});

/** The files that npm packs: the files of `files`, and some that it always adds. */
const PACKED = [
  ...["README.md", "LICENSE", "package.json"],
  ...packageJson.files.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })]),
];

/** The names that a host imports. */
const IMPORTED = Object.keys(packageJson.exports).map((path) => path.replace(".", "tugtalk"));

function isInPackage(path: string): boolean {
  return IMPORTED.includes(path) || PACKED.some((file) => file === path || file.startsWith(path));
}

const PATH_IN_TEXT = /`((?:tugtalk|roadmap|\.ci|dist)\/[\w./-]*)`/g;
const LINK = /\]\(([^)#]+)(?:#[^)]*)?\)/g;

/** The scripts of the projects among the examples. */
const EXAMPLE_SCRIPTS = FILES.filter((path) =>
  /examples\/[\w-]+\/package\.json$/.test(path),
).flatMap((path) => Object.keys(JSON.parse(document(path)).scripts));

test("every script that a document runs by npm is one of package.json, or of an example", () => {
  const scripts = DOCUMENTS.flatMap((path) =>
    [...document(path).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = ""]) => name),
  );
  expect(scripts).toContain("drift");
  const known = new Set([...Object.keys(packageJson.scripts), ...EXAMPLE_SCRIPTS]);
  expect(scripts.filter((name) => !known.has(name))).toEqual([]);
});

test("CONTRIBUTING.md names every script but those that npm itself or README.md starts", () => {
  const text = document("CONTRIBUTING.md");
  const others = ["start", "chat", "prepack", "prepublishOnly", "test"];
  const unnamed = Object.keys(packageJson.scripts).filter(
    (name) => !others.includes(name) && !text.includes(`npm run ${name}`),
  );
  expect(unnamed).toEqual([]);
});

test.each(DOCUMENTS)(
  "every link of %s leads to a file, and to a heading where it names one",
  (path) => {
    expect(brokenLinks(path)).toEqual([]);
  },
);

test("the packed README names no file that the package lacks", () => {
  const named = [...README.matchAll(PATH_IN_TEXT)].map(([, path = ""]) => path);
  expect(named).toContain("tugtalk/HOST.md");
  expect(named.filter((path) => !isInPackage(path))).toEqual([]);
});

test("no packed document links to a file that the package lacks", () => {
  const documents = PACKED.filter((path) => path.endsWith(".md"));
  expect(documents).toContain("tugtalk/protocol/README.md");
  const lost = documents.flatMap((from) =>
    [...document(from).matchAll(LINK)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^https?:/.test(target) && !isInPackage(join(dirname(from), target)))
      .map((target) => `${from}: ${target}`),
  );
  expect(lost).toEqual([]);
});

test("every section that a comment cites exists in the protocol reference", () => {
  const headings = [...REFERENCE.matchAll(/^#{2,3} §(\d+[a-z]?) /gm)];
  const known = new Set(headings.map(([, id]) => id));
  const lost = citations(/§(\d+[a-z]?)(?:[–-](\d+[a-z]?))?/g).filter(({ cited: [, from, to] }) =>
    [from, to].some((id) => id !== undefined && !known.has(id)),
  );
  expect(lost.map(({ where }) => where)).toEqual([]);
});

test("every guarantee that a comment cites is one of PROTOCOL.md", () => {
  const guarantees = section(PROTOCOL, "## Guarantees");
  const known = new Set([...guarantees.matchAll(/^(\d+)\. /gm)].map(([, number]) => number));
  const lost = citations(/guarantees? (\d+(?:(?:, | and )\d+)*)/gi).filter(
    ({ cited: [, list = ""] }) => list.split(/, | and /).some((number) => !known.has(number)),
  );
  expect(lost.map(({ where }) => where)).toEqual([]);
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
  const tables = REFERENCE.split(/\n\n/);
  const heads = tables.filter((block) => block.startsWith("|")).map((block) => block.split("\n"));
  expect(heads.length).toBeGreaterThan(10);
  const silent = heads.filter(([head = ""]) => !/\bV38\b.*\bV330\b|\bV197\b|seen on/.test(head));
  expect(silent.map(([head]) => head)).toEqual([]);
});

test("every dependency has its line in decisions.md", () => {
  const { dependencies, devDependencies } = packageJson;
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const rows = rowNames(section(DECISIONS, "## Dependencies"));
  expect(sorted(rows)).toEqual(sorted(names));
});

test("the repository stands alone: no file names a folder beside it", () => {
  const needles = [["..", "shared"].join("/"), ["", "work", "shared"].join("/")];
  // A room of the host has that name, too, and is imported by its neighbours.
  const imported = /from "(?:\.\.\/)+shared[\w./-]*\.ts"/g;
  const found = FILES.filter((path) => {
    const text = path.startsWith("tugtalk/host/")
      ? document(path).replace(imported, "")
      : document(path);
    return needles.some((needle) => text.includes(needle));
  });
  expect(found).toEqual([]);
});
