/**
 * The test runner behind `npm test`: `bun .ci/test.ts [ring…]`, by default the ring `unit`.
 * It runs `bun test` for each ring, passes its output through, and prints as its very last line
 * the sum, `N passed, N failed`. What failed is told above that line, and appended to the file that
 * `TUGTALK_TEST_FAILURES` names, if it does: for a sum over more than one call.
 */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** One kind of tests, told apart by the ending of their files. */
type Ring = {
  /** What `bun test` is given besides the files and the report. */
  readonly args: readonly string[];
  /** The commands that the bridge is started by, one after the other; absent: from source. */
  readonly underTest?: readonly string[];
  /** The files, or nothing: then `bun test` finds the files that it knows by name itself. */
  readonly files?: string;
  /** After this time the ring has failed, whatever it does. */
  readonly limitMs: number;
};

type Count = { readonly passed: number; readonly failed: number };

const RINGS: Record<string, Ring> = {
  // A busy machine is no failure: the limit of a test ends one that hangs.
  unit: { args: ["--parallel=2", "--timeout=30000"], limitMs: 900_000 },
  // These start real processes: few at a time, and slower than a unit test.
  real: {
    args: ["--parallel=2", "--timeout=60000"],
    files: "tugtalk/**/*.real.ts",
    limitMs: 1_200_000,
  },
  // Every fault in every state: some run beside each other, so the files do not.
  faults: { args: ["--timeout=60000"], files: "tugtalk/**/*.faults.ts", limitMs: 300_000 },
  // Random lives: as many as there is time for.
  long: { args: ["--timeout=60000"], files: "tugtalk/**/*.long.ts", limitMs: 900_000 },
  // What `npm run build` made, run as people run it.
  built: {
    // The first start of a binary of 110 MB reads it from the disk.
    args: ["--timeout=30000"],
    files: "tugtalk/**/end-to-end.test.ts",
    underTest: [`${process.execPath} ${resolve("dist/tugtalk.js")}`, resolve("dist/tugtalk")],
    limitMs: 120_000,
  },
  browser: { args: ["--timeout=60000"], files: "tugtalk/**/*.browser.ts", limitMs: 600_000 },
};

const oneFailure: Count = { passed: 0, failed: 1 };

async function main(names: readonly string[]): Promise<void> {
  let total: Count = { passed: 0, failed: 0 };
  for (const name of names.length > 0 ? names : ["unit"]) total = sum(total, await runRing(name));
  const passed = total.failed === 0 && total.passed > 0;
  process.exitCode = passed ? 0 : 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
}

function sum(one: Count, other: Count): Count {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}

/** Runs one ring. A ring that cannot run, or finds no tests, counts as one failure. */
async function runRing(name: string): Promise<Count> {
  const ring = RINGS[name];
  if (ring === undefined) return fail(`no ring "${name}": ${Object.keys(RINGS).join(", ")}`);
  const files = ring.files === undefined ? [] : findFiles(ring.files);
  if (ring.files !== undefined && files.length === 0) return fail(`no file is ${ring.files}`);

  const folder = mkdtempSync(join(tmpdir(), "tugtalk-ring-"));
  try {
    let total: Count = { passed: 0, failed: 0 };
    for (const [index, command] of (ring.underTest ?? [undefined]).entries()) {
      const run = { args: [...ring.args, ...files], limitMs: ring.limitMs, command };
      total = sum(total, await runFiles(run, join(folder, `${index}.xml`)));
    }
    return total;
  } catch (error) {
    return fail(`the ring "${name}" did not run: ${error}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of a pattern as `./` paths: only those does `bun test` run whatever their ending. */
function findFiles(pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync()].sort().map((file) => `./${file}`);
}

/** One call of `bun test`. */
type TestRun = Pick<Ring, "args" | "limitMs"> & { readonly command: string | undefined };

async function runFiles({ args, limitMs, command }: TestRun, report: string): Promise<Count> {
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  if (command !== undefined) console.error(`test: with ${command}`);
  const child = Bun.spawn([process.execPath, "test", ...reporter, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    timeout: limitMs,
    killSignal: "SIGKILL",
    env: { ...process.env, ...(command !== undefined && { TUGTALK_UNDER_TEST: command }) },
  });
  const exitCode = await child.exited;
  const file = Bun.file(report);
  if (!(await file.exists())) return fail(`bun test ended with ${exitCode} and no report`);
  const text = await file.text();
  tellFailures(text);
  return countTests(text, exitCode);
}

const FAILED_CASE =
  /<testcase name="([^"]*)" classname="([^"]*)"[^>]* file="([^"]*)"[^>]*>\s*<failure [^>]*message="([^"]*)"/g;

/** So much of what a failed test said is told again. */
const TOLD_LINES = 60;

/** Appends what failed, and how, to the file of failures. */
function tellFailures(report: string): void {
  const path = process.env["TUGTALK_TEST_FAILURES"];
  if (path === undefined) return;
  for (const found of report.matchAll(FAILED_CASE)) {
    const [name, group, file, message = ""] = found.slice(1).map(unescapeXml);
    const lines = message.split("\n").slice(0, TOLD_LINES);
    appendFileSync(path, `FAILED ${file} > ${group} > ${name}\n${lines.join("\n")}\n`);
  }
}

const XML_NAMES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code === undefined ? (XML_NAMES[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
}

/** Reads the totals of a report. A skipped test has failed: nothing here is skipped on purpose. */
function countTests(report: string, exitCode: number): Count {
  const totals = report.match(/<testsuites [^>]*>/)?.[0] ?? "";
  const [tests, failures, skipped] = ["tests", "failures", "skipped"].map((name) =>
    Number(totals.match(new RegExp(` ${name}="(\\d+)"`))?.[1]),
  );
  if (tests === undefined || failures === undefined || skipped === undefined) return oneFailure;
  if (Number.isNaN(tests + failures + skipped)) return fail("the report has no totals");
  if (tests === 0) return fail("no test ran");
  const failed = failures + skipped;
  // A file that does not load, or an error between tests, shows in the exit code only.
  const untold = exitCode !== 0 && failed === 0 ? 1 : 0;
  return { passed: tests - failed, failed: failed + untold };
}

function fail(reason: string): Count {
  console.error(`test: ${reason}`);
  return oneFailure;
}

await main(process.argv.slice(2));
