/** The test runner on small projects, one for each way in which tests fail. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "../testing/drivers/ended-command.ts";

const RUNNER = join(import.meta.dir, "..", "..", ".ci", "test.ts");
const IMPORT = 'import { expect, test } from "bun:test";\n';

type Files = Readonly<Record<string, string>>;

/** Runs the runner with these words in a project with these test files. */
async function run(files: Files, ...words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, "tugtalk", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, IMPORT + text);
  }
  const collected = join(folder, "failures.txt");
  const env = { ...process.env, TUGTALK_TEST_FAILURES: collected };
  const command = [process.execPath, RUNNER, ...words];
  const { code, out, err } = await runCommand(command, { cwd: folder, env });
  const read = () => readFileSync(collected, "utf8");
  return { code, err, lines: out.trimEnd().split("\n"), out, read };
}

const PASSING = 'test("passes", () => { console.log("noise"); });';

test("a run that passes prints one line of progress and the total", async () => {
  const { code, err, out } = await run({ "a.test.ts": PASSING, "b.test.ts": PASSING });
  expect({ code, err, out }).toEqual({
    code: 0,
    err: "test: unit\n",
    out: "2 passed, 0 failed\n",
  });
});

const REJECTION = `test("passes early", () => { setTimeout(() => Promise.reject(new Error("nobody waits")), 5); });
test("is hit", async () => { await Bun.sleep(100); });`;

type Fault = { readonly text: string; readonly reason: string };

/** Files that fail, and the text that the runner must print about each. */
const FAULTS: Readonly<Record<string, Fault>> = {
  "a failed expectation": {
    text: 'test("fails", () => { expect({ a: 1 }).toEqual({ a: 2 }); });',
    reason: '-   "a": 2,\n    +   "a": 1,',
  },
  "a hanging test": {
    text: 'test("hangs", () => new Promise(() => {}), 50);',
    reason: "test timed out after 0.",
  },
  "an unhandled rejection": { text: REJECTION, reason: "Error: nobody waits" },
  "a file that does not compile": { text: "const x = ;", reason: "error: Unexpected ;" },
  "a file that imports nothing": {
    text: 'import "./missing.ts";',
    reason: "Cannot find module './missing.ts'",
  },
  "an error while a file loads": {
    text: 'throw new Error("at load");',
    reason: "error: at load",
  },
  "a process that exits": {
    text: 'test("exits", () => process.exit(3));',
    reason: "worker crashed: exit code 3",
  },
  "a killed process": {
    text: 'test("is killed", () => process.kill(process.pid, "SIGKILL"));',
    reason: "worker crashed: SIGKILL",
  },
};

test("a run names each file that fails with its reason, and nothing that passed", async () => {
  const names = Object.keys(FAULTS).map((name) => name.replaceAll(" ", "-"));
  const bad = Object.values(FAULTS).map(({ text }, at) => [`${names[at]}.test.ts`, text]);
  const files = { ...Object.fromEntries(bad), "good.test.ts": PASSING };
  const { code, lines, out, read } = await run(files);
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatch(/^\d passed, 8 failed$/);
  const failed = out.split(/^(?=FAILED )/m);
  expect(failed).toHaveLength(names.length);
  for (const [at, { reason }] of Object.values(FAULTS).entries()) {
    const file = `FAILED tugtalk/${names[at]}.test.ts`;
    expect(failed.find((text) => text.startsWith(file))).toContain(reason);
    expect(read()).toContain(file);
  }
  expect(out).not.toContain("good.test.ts");
});

test("the rings of fault matrices and long runs show the figures that their tests print", async () => {
  const { code, lines } = await run({ "a.faults.ts": PASSING }, "faults");
  expect(code).toBe(0);
  expect(lines.slice(-2)).toEqual(["noise", "1 passed, 0 failed"]);
});

test("a run that is killed as a whole prints the end of its output", async () => {
  const text =
    'test("passes", () => {}); test("dies", () => process.kill(process.pid, "SIGKILL"));';
  const { code, out, lines } = await run({ "a.long.ts": text }, "long");
  expect(code).toBe(1);
  expect(out).toContain("FAILED bun test was ended by SIGKILL (limit 900 s) and wrote no report");
  expect(out).toContain("(pass) passes");
  expect(lines.at(-1)).toBe("0 passed, 1 failed");
});

test("an unknown ring is a failure that names the rings", async () => {
  const { code, lines } = await run({}, "nothing");
  expect(code).toBe(1);
  expect(lines[0]).toStartWith('FAILED unknown ring "nothing"; the rings are unit, ');
  expect(lines.at(-1)).toBe("0 passed, 1 failed");
});

const PROJECT = {
  "a/sends.test.ts": `${PASSING} test("receives", () => {});`,
  "a/sends.long.ts": PASSING,
  "b/other.test.ts": 'test("fails", () => { throw new Error("not asked for"); });',
};

const ASKED = [
  [["a/sends.test.ts"], "2 passed, 0 failed"],
  [["./tugtalk/a/sends.test.ts"], "2 passed, 0 failed"],
  [["sends"], "3 passed, 0 failed"],
  [["sends", "--name", "receives"], "1 passed, 1 failed"], // The long ring has no test of that name.
  [["sends.test", "-t", "^receives$"], "1 passed, 0 failed"],
  [["--name=receives"], "1 passed, 0 failed"],
  [["sends.test", "-t", "nothing"], "0 passed, 1 failed"],
] as const;

test.each([...ASKED])("the words %j run only the tests that they name", async (words, total) => {
  const { lines } = await run(PROJECT, ...words);
  expect(lines.at(-1)).toBe(total);
});

test("--help says how to run a ring, a file and one test", async () => {
  const { code, out } = await run({}, "--help");
  expect(code).toBe(0);
  for (const words of ["[ring…]", "[file…]", "--name <words>", "rings: unit, "])
    expect(out).toContain(words);
});

test("a wrong flag is one line and exit code 2", async () => {
  const { code, out, err } = await run({}, "--bogus");
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toBe("test: Unknown option '--bogus'; --help says more\n");
});
