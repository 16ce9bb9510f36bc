/**
 * The commands of CONTRIBUTING.md, and of roadmap/performance.md, that continuous integration does not run
 * itself, as they are written, in a clone.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../testing/drivers/ended-command.ts";
import { codeBlocks, document, ROOT, rowNames, section } from "./support/markdown.ts";

const CONTRIBUTING = document("CONTRIBUTING.md");

const clone = mkdtempSync(join(tmpdir(), "contributing-"));
afterAll(() => rmSync(clone, { recursive: true }));

/** Runs commands in the clone. Rejects if a command fails, with its output. */
async function run(commands: string): Promise<string> {
  const { code, out, err } = await runCommand(["bash", "-e", "-c", commands], { cwd: clone });
  expect({ commands, code, problems: code === 0 ? "" : out + err }).toMatchObject({ code: 0 });
  return out;
}

beforeAll(async () => {
  await run(`git -c safe.directory='*' clone --quiet '${ROOT}' .`);
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  // As `npm install` and the first runs leave them.
  for (const name of ["node_modules", ".cache"]) symlinkSync(join(ROOT, name), join(clone, name));
  await run("printf 'node_modules\n.cache\n' >> .git/info/exclude");
});

/** The commands of the table that run here, and their words for less of the same. */
const RUN_HERE: Readonly<Record<string, string>> = {
  "npm run acp": '-- "a plan accepted"',
  "npm run plain": "",
  "npm run protocol": "",
  "npm run rooms": "",
  "npm run screenshots": '-- "empty board"',
};

/** The others: a file that continuous integration reads, and the program that it starts there. */
const RUN_ELSEWHERE: Readonly<Record<string, readonly [file: string, program: string]>> = {
  "npm run drift": ["package.json", "tugtalk/__tests__/drift.real.ts"],
  "npm run format": [".ci/check.ts", "biome"],
  "npm run release": ["tugtalk/__tests__/support/release-copy.ts", ".ci/release.ts"],
};

test("each command of the table runs in continuous integration, or the table says that it does not", () => {
  const table = section(CONTRIBUTING, "## Commands");
  const rowOf = (name: string) => table.split("\n").find((row) => row.includes(`| \`${name}\``));
  const others = rowNames(table).filter(
    (name) =>
      !document(".ci/run").includes(name) &&
      !(name in RUN_HERE) &&
      !(name in RUN_ELSEWHERE) &&
      name !== ".ci/run",
  );
  expect(others).toContain("npm run image");
  for (const name of others)
    expect(rowOf(name)).toContain("; continuous integration does not run it");
  for (const [file, program] of Object.values(RUN_ELSEWHERE))
    expect(document(file)).toContain(program);
});

test.each(Object.entries(RUN_HERE))("%s runs", async (name, words) => {
  expect(rowNames(section(CONTRIBUTING, "## Commands"))).toContain(name);
  await run(`${name} ${words}`);
  if (name === "npm run screenshots")
    expect(readdirSync(join(clone, "screenshots"))).toContainEqual(
      expect.stringContaining("empty-board"),
    );
});

test("the lines that run one test choose some, all of which pass", async () => {
  const [block = ""] = codeBlocks(CONTRIBUTING, "sh");
  const lines = block.trim().split("\n");
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(await run(line)).toMatch(/^[1-9]\d* passed, 0 failed$/m);
});

test("the commands that renew the generated files leave them as they are where nothing has changed", async () => {
  const [, commands = ""] = /^Then renew the generated files: (.*)\.$/m.exec(CONTRIBUTING) ?? [];
  const lines = [...commands.matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line);
  expect(lines).toHaveLength(3);
  await run("git checkout --quiet . && rm tugtalk/schema.json");
  await run(lines.join("\n"));
  expect(await run("git status --short -- tugtalk")).toBe("");
});

test("the line of roadmap/performance.md that names scenarios and contenders measures these, here in one round", async () => {
  const [block = ""] = codeBlocks(document("roadmap/performance.md"), "sh");
  const [line = ""] = block.split("\n").filter((one) => one.includes("--only=start,bulk"));
  const short = line.replace("--rounds=10", "--rounds=1");
  expect(short).not.toBe(line);
  const printed = await run(`PATH="$PWD/node_modules/.bin:$PATH"; ${short}`);
  expect(printed.match(/^(?:start|bulk):/gm)).toEqual(["start:", "bulk:"]);
});
