/**
 * The test runner behind `npm test`: `bun .ci/test.ts [ring or file…]`, by default the ring `unit`, which has
 * the everyday tests. With `--all` the tests that start a bridge as a process run on the products of `npm run
 * build`: `npm run test:built -- --all`. Runs `bun test` for each ring, and prints each failure. Prints the
 * totals as its last line: `N passed, N failed`. It keeps the whole output of a failed run in a file, and
 * names it. If the variable `TUGTALK_TEST_FAILURES` names a file, the failures are appended to it too, so
 * that a caller can print those of several runs together.
 */
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Chosen, parseTestArguments, type TestArguments, USAGE } from "./test-arguments.ts";
import { type Count, failedRun, formatFailure, type RunResult, readRun } from "./test-report.ts";
import { BUILT, RINGS, type Ring } from "./test-rings.ts";

/** The rings of `--all`, each on all products of the build. */
const OF_ALL = ["processes", "faults", "places", "real"];

async function main({ chosen, isAll, testName }: TestArguments): Promise<void> {
  let total: Count = { passed: 0, failed: 0 };
  const runs = isAll ? OF_ALL.map((name) => ({ name, underTest: BUILT })) : chosen;
  for (const run of runs) total = sum(total, await runRing({ ...run, testName }));
  const passed = total.failed === 0 && total.passed > 0;
  process.exitCode = passed ? 0 : 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
}

function sum(one: Count, other: Count): Count {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}

type RingRun = Chosen & {
  readonly underTest?: readonly string[];
  readonly testName: string | undefined;
};

/** Runs one ring, or some files of it. A ring that cannot run, or finds no tests, counts as one failure. */
async function runRing({ name, files: named, testName, ...run }: RingRun): Promise<Count> {
  const ring = RINGS[name];
  if (ring === undefined)
    return fail(
      `unknown ring "${name}"; the rings are ${Object.keys(RINGS).join(", ")}, and no test file has this in its path`,
    );
  const found = ring.files === undefined ? [] : findFiles(ring.files, ring.having);
  if (ring.files !== undefined && found.length === 0) return fail(`no file matches ${ring.files}`);
  const files = named?.map((file) => `./${file}`) ?? found;
  const only = testName === undefined ? [] : [`${BY_NAME}${testName}`];

  let total: Count = { passed: 0, failed: 0 };
  try {
    for (const command of run.underTest ?? ring.underTest ?? [undefined]) {
      console.error(`test: ${name}${command === undefined ? "" : ` of ${command}`}`);
      total = sum(total, await runFiles(ring, [...only, ...files], command));
    }
    return total;
  } catch (error) {
    return sum(total, fail(`cannot run the ring "${name}": ${error}`));
  }
}

/** The files of a pattern as `./` paths, which `bun test` runs with any ending. */
function findFiles(pattern: string, having = /^/): string[] {
  return [...new Bun.Glob(pattern).scanSync()]
    .filter((file) => having.test(readFileSync(file, "utf8")))
    .sort()
    .map((file) => `./${file}`);
}

/**
 * One call of `bun test`, with files and choices among their tests. Keeps its report and output only after
 * a failure.
 */
async function runFiles(
  ring: Ring,
  files: readonly string[],
  command: string | undefined,
): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-ring-"));
  const result = await runIn(folder, ring, [...ring.args, ...files], command);
  print(result);
  if (result.count.failed === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`The whole output: ${join(folder, OUTPUT)}`);
  return result.count;
}

const OUTPUT = "output.txt";

/** The flag of `bun test` that takes a pattern for the names of tests. */
const BY_NAME = "--test-name-pattern=";

async function runIn(
  folder: string,
  { limitMs, hasFigures, env }: Ring,
  args: readonly string[],
  command: string | undefined,
): Promise<RunResult> {
  const path = join(folder, "report.xml");
  const reporter = ["--reporter=junit", `--reporter-outfile=${path}`];
  const output = openSync(join(folder, OUTPUT), "a");
  const child = Bun.spawn([process.execPath, "test", ...reporter, ...args], {
    stdio: ["ignore", hasFigures === true ? "inherit" : output, output],
    timeout: limitMs,
    killSignal: "SIGKILL",
    env: {
      ...process.env,
      ...env,
      TUGTALK_TEST_FOLDER: folder,
      ...(command !== undefined && { TUGTALK_UNDER_TEST: command }),
    },
  });
  await child.exited;
  closeSync(output);
  const { exitCode, signalCode } = child;
  const ending = signalCode === null ? `exited with ${exitCode}` : `was ended by ${signalCode}`;
  const report = Bun.file(path);
  return readRun({
    report: (await report.exists()) ? await report.text() : undefined,
    output: stripVTControlCharacters(await Bun.file(join(folder, OUTPUT)).text()),
    ending: `${ending} (limit ${limitMs / 1000} s)`,
    isSuccess: exitCode === 0,
    isNamed: args.some((arg) => arg.startsWith(BY_NAME)),
  });
}

/** Prints the failures, and appends them to the file of failures. */
function print({ failures }: RunResult): void {
  const text = failures.map(formatFailure).join("\n");
  if (text === "") return;
  console.log(text);
  const path = process.env["TUGTALK_TEST_FAILURES"];
  if (path !== undefined) appendFileSync(path, text);
}

function fail(reason: string): Count {
  const result = failedRun(reason);
  print(result);
  return result.count;
}

try {
  const parsed = parseTestArguments(process.argv.slice(2));
  if (parsed === "help") console.log(USAGE.trimEnd());
  else await main(parsed);
} catch (error) {
  const [problem] = (error instanceof Error ? error.message : String(error)).split(". ");
  console.error(`test: ${problem}; --help says more`);
  process.exitCode = 2;
}
