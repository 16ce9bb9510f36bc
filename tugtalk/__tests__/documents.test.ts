/**
 * Checks the documents: PROTOCOL.md, README.md and the roadmap against the schemas, the usage text,
 * package.json and a running bridge.
 */
import { afterEach, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { type Definitions, withTables } from "../../.ci/protocol-tables.ts";
import packageJson from "../../package.json" with { type: "json" };
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { USAGE } from "../src/edge/arguments.ts";
import { INBOUND_TYPES } from "../src/edge/plain-checks.generated.ts";
import { ErrorCode, ErrorReason } from "../src/messages/error-message.ts";
import { SessionOptions } from "../src/messages/options.ts";
import { OutboundMessage } from "../src/types.ts";
import {
  type Received,
  startBridge,
  type TestBridge,
  UNDER_TEST,
} from "../testing/drivers/bridge-process.ts";
import { document, headedNames, ROOT, rowNames, section } from "./support/markdown.ts";

const PROTOCOL = document("tugtalk/PROTOCOL.md");
const README = document("README.md");
const DECISIONS = document("roadmap/decisions.md");
const REFERENCE = document("roadmap/tugtalk-protocol.md");

const NOT_OURS = /(^|\/)(node_modules|\.git|\.cache|dist)\/|\.tmp$/;
const FILES = [...new Bun.Glob("**/*").scanSync({ cwd: ROOT, dot: true })].filter(
  (path) => !NOT_OURS.test(path),
);
const SOURCES = FILES.filter((path) => path.endsWith(".ts"));

function sorted(names: Iterable<string>): string[] {
  return [...names].sort();
}

/** The `type` of every message in a union, and in the unions inside it. */
function typesIn(schema: unknown): string[] {
  const { options, shape } = schema as {
    readonly options?: readonly unknown[];
    readonly shape?: { readonly type: { readonly value: string } };
  };
  return shape === undefined ? (options ?? []).flatMap(typesIn) : [shape.type.value];
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

test("each inbound message has one heading in PROTOCOL.md, and no heading names another", () => {
  const headed = headedNames(section(PROTOCOL, "## Host to tugtalk"));
  expect(sorted(headed)).toEqual(sorted(INBOUND_TYPES));
});

test("each outbound message has one heading in PROTOCOL.md, and no heading names another", () => {
  const headed = headedNames(section(PROTOCOL, "## Tugtalk to host"));
  expect(sorted(headed)).toEqual(sorted(new Set(typesIn(OutboundMessage))));
});

test("the tables of PROTOCOL.md are those of schema.json; npm run protocol makes them anew", () => {
  const schema: { readonly $defs: Definitions } = JSON.parse(document("tugtalk/schema.json"));
  expect(withTables(PROTOCOL, schema.$defs)).toBe(PROTOCOL);
});

test("each message and each shape of PROTOCOL.md has its generated part", () => {
  const marked = [...PROTOCOL.matchAll(/^<!-- generated: (\w+) -->$/gm)].map(
    ([, name = ""]) => name,
  );
  const headed = ["## Host to tugtalk", "## Tugtalk to host"].flatMap((chapter) =>
    headedNames(section(PROTOCOL, chapter)),
  );
  expect(sorted(marked)).toEqual(sorted([...headed, "common", "control_requests", "shapes"]));
});

test("the table of options names every option, each with all its columns", () => {
  const options = section(PROTOCOL, "## Options");
  expect(sorted(rowNames(options))).toEqual(sorted(Object.keys(SessionOptions.shape)));
  const rows = options.split("\n").filter((line) => line.startsWith("| `"));
  for (const row of rows) {
    const columns = row.split(/(?<!\\)\|/).slice(1, -1);
    expect(columns.map((column) => column.trim() !== "")).toEqual(Array(5).fill(true));
  }
});

test("the tables of errors name every code and every reason", () => {
  expect(sorted(rowNames(section(PROTOCOL, "### Codes")))).toEqual(sorted(ErrorCode.options));
  expect(sorted(rowNames(section(PROTOCOL, "### Reasons")))).toEqual(sorted(ErrorReason.options));
});

test("the flags that are documented are those of the usage text", () => {
  const flagsOf = (text: string) => new Set(text.match(/--[a-z][a-z-]*/g));
  const rows = rowNames(section(PROTOCOL, "## Command line"));
  const documented = rows.filter((name) => name.startsWith("--")).join(" ");
  expect(sorted(flagsOf(documented))).toEqual(sorted(flagsOf(USAGE)));
});

test("the sub-commands that are documented are those of the usage text", () => {
  const subCommands = (text: string) => new Set(text.match(/(?<=\btugtalk )[a-z]+\b/g));
  const rows = rowNames(section(PROTOCOL, "## Command line")).join(" ");
  const [, usage = ""] = USAGE.split("\nusage: ");
  expect(sorted(subCommands(rows))).toEqual(sorted(subCommands(usage.split("\n\n")[0] ?? "")));
});

const bridges: TestBridge[] = [];
afterEach(() => {
  for (const bridge of bridges.splice(0)) bridge.kill();
});

test("README.md names the versions of Claude that are measured, and no others", () => {
  const [, section = ""] = README.split("### Versions of Claude Code");
  const named = section.split("\n## ")[0]?.match(/\d+\.\d+\.\d+/g) ?? [];
  expect([...new Set(named)]).toEqual([...MEASURED_VERSIONS]);
});

test("the conversation in README.md runs as it is written there", async () => {
  const lines = README.match(/^[→←] .*$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(5);
  const command = [...UNDER_TEST, "simulate", "conversation", "--speed=max"];
  const bridge = startBridge({ command, claude: "" });
  bridges.push(bridge);
  for (const line of lines) {
    const message = JSON.parse(line.slice(2)) as Received;
    if (line.startsWith("→")) bridge.send(message);
    else await bridge.next((received) => isPartOf(message, received));
  }
  expect(await bridge.exited).toBe(0);
});

function isPartOf(part: Received, whole: Received): boolean {
  return Object.entries(part).every(([key, value]) => Bun.deepEquals(value, whole[key]));
}

test.each([
  ["README.md", README],
  ["CONTRIBUTING.md", document("CONTRIBUTING.md")],
  ["roadmap/interactive-tools.md", document("roadmap/interactive-tools.md")],
  ["roadmap/scale.md", document("roadmap/scale.md")],
])("every path that %s names exists", (_path, text) => {
  const named = [...text.matchAll(/`((?:tugtalk|roadmap|\.ci)\/[\w./-]*|LICENSE|\w+\.json)`/g)];
  expect(named.length).toBeGreaterThan(2);
  const missing = named
    .map(([, path = ""]) => path)
    .filter((path) => !FILES.some((file) => file === path || file.startsWith(path)));
  expect(missing).toEqual([]);
});

/** What npm packs: what `files` names, and some files that it always adds. */
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
const LINK = /\]\(([^)#][^)]*)\)/g;

test("the packed README names no file that the package lacks", () => {
  const named = [...README.matchAll(PATH_IN_TEXT)].map(([, path = ""]) => path);
  expect(named).toContain("tugtalk/HOST.md");
  expect(named.filter((path) => !isInPackage(path))).toEqual([]);
});

test("no packed document links to a file that the package lacks", () => {
  const documents = PACKED.filter((path) => path.endsWith(".md"));
  expect(documents).toContain("tugtalk/PROTOCOL.md");
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

test("the repository stands alone: no file names what lies beside it", () => {
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
