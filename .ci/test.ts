/**
 * The test runner behind `npm test`: `bun .ci/test.ts [ring…]`, by default the ring `unit`, which
 * holds the everyday tests. Runs `bun test` for each ring, passes its output through, and prints the
 * totals as its last line: `N passed, N failed`. When the variable `TUGTALK_TEST_FAILURES` names a
 * file, the failures are appended to it, so that a caller can print those of several runs together.
 */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** One kind of tests, recognised by the ending of its files. */
type Ring = {
  /** Arguments for `bun test` besides the files and the report. */
  readonly args: readonly string[];
  /** Commands that start the bridge; the ring runs once for each. Without them it runs from source. */
  readonly underTest?: readonly string[];
  /** A pattern for the files. Without it `bun test` finds the files itself. */
  readonly files?: string;
  /** The ring is killed, and has failed, after this time. */
  readonly limitMs: number;
};

type Count = { readonly passed: number; readonly failed: number };

const RINGS: Record<string, Ring> = {
  // The time limit is long: it should end a test that hangs, not one on a busy machine.
  unit: { args: ["--parallel=2", "--timeout=30000"], limitMs: 900_000 },
  // These tests start the real CLI, which is slow.
  real: {
    args: ["--parallel=2", "--timeout=60000"],
    files: "tugtalk/**/*.real.ts",
    limitMs: 1_200_000,
  },
  // Every fault in every state. Each file runs several cases at once, so the files run one by one.
  faults: { args: ["--timeout=60000"], files: "tugtalk/**/*.faults.ts", limitMs: 300_000 },
  // Many random sessions, and captures cut at every byte.
  long: { args: ["--timeout=60000"], files: "tugtalk/**/*.long.ts", limitMs: 900_000 },
  // The end-to-end tests on the products of `npm run build`.
  built: {
    // The first start of the binary reads 110 MB from disk.
    args: ["--timeout=30000"],
    files: "tugtalk/**/end-to-end.test.ts",
    underTest: [`${process.execPath} ${resolve("dist/tugtalk.js")}`, resolve("dist/tugtalk")],
    limitMs: 120_000,
  },
};

const ONE_FAILURE: Count = { passed: 0, failed: 1 };

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
  if (ring === undefined)
    return fail(`unknown ring "${name}"; the rings are ${Object.keys(RINGS).join(", ")}`);
  const files = ring.files === undefined ? [] : findFiles(ring.files);
  if (ring.files !== undefined && files.length === 0) return fail(`no file matches ${ring.files}`);

  const folder = mkdtempSync(join(tmpdir(), "tugtalk-ring-"));
  try {
    let total: Count = { passed: 0, failed: 0 };
    for (const [index, command] of (ring.underTest ?? [undefined]).entries()) {
      const run = { args: [...ring.args, ...files], limitMs: ring.limitMs, command };
      total = sum(total, await runFiles(run, join(folder, `${index}.xml`)));
    }
    return total;
  } catch (error) {
    return fail(`cannot run the ring "${name}": ${error}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of a pattern as `./` paths, which `bun test` runs whatever their ending is. */
function findFiles(pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync()].sort().map((file) => `./${file}`);
}

/** One call of `bun test`. */
type TestRun = Pick<Ring, "args" | "limitMs"> & { readonly command: string | undefined };

async function runFiles({ args, limitMs, command }: TestRun, report: string): Promise<Count> {
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  if (command !== undefined) console.error(`test: the bridge is ${command}`);
  const child = Bun.spawn([process.execPath, "test", ...reporter, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    timeout: limitMs,
    killSignal: "SIGKILL",
    env: { ...process.env, ...(command !== undefined && { TUGTALK_UNDER_TEST: command }) },
  });
  const exitCode = await child.exited;
  const file = Bun.file(report);
  if (!(await file.exists())) return fail(`bun test exited with ${exitCode} and wrote no report`);
  const text = await file.text();
  reportFailures(text);
  return countTests(text, exitCode);
}

const FAILED_CASE =
  /<testcase name="([^"]*)" classname="([^"]*)"[^>]* file="([^"]*)"[^>]*>\s*<failure [^>]*message="([^"]*)"/g;

/** How many lines of a failure message are reported. */
const MAX_MESSAGE_LINES = 60;

/** Appends the failed tests with their messages to the file of failures. */
function reportFailures(report: string): void {
  const path = process.env["TUGTALK_TEST_FAILURES"];
  if (path === undefined) return;
  for (const found of report.matchAll(FAILED_CASE)) {
    const [name, group, file, message = ""] = found.slice(1).map(unescapeXml);
    const lines = message.split("\n").slice(0, MAX_MESSAGE_LINES);
    appendFileSync(path, `FAILED ${file} > ${group} > ${name}\n${lines.join("\n")}\n`);
  }
}

const XML_NAMES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code === undefined ? (XML_NAMES[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
}

/** Reads the totals of a report. A skipped test counts as failed: no test here is skipped on purpose. */
function countTests(report: string, exitCode: number): Count {
  const totals = report.match(/<testsuites [^>]*>/)?.[0] ?? "";
  const [tests, failures, skipped] = ["tests", "failures", "skipped"].map((name) =>
    Number(totals.match(new RegExp(` ${name}="(\\d+)"`))?.[1]),
  );
  if (tests === undefined || failures === undefined || skipped === undefined) return ONE_FAILURE;
  if (Number.isNaN(tests + failures + skipped)) return fail("the report has no totals");
  if (tests === 0) return fail("no test ran");
  const failed = failures + skipped;
  // A file that does not load, or an error between tests, shows only in the exit code.
  const unreported = exitCode !== 0 && failed === 0 ? 1 : 0;
  return { passed: tests - failed, failed: failed + unreported };
}

function fail(reason: string): Count {
  console.error(`test: ${reason}`);
  return ONE_FAILURE;
}

await main(process.argv.slice(2));
