/**
 * The test runner behind `npm test`: `bun .ci/test.ts [ring…]`, by default the ring `unit`, which
 * holds the everyday tests. With `--all` the tests that start a bridge as a process run on the products of
 * `npm run build`: `npm run test:built -- --all`. Runs `bun test` for each ring, prints each failure,
 * nothing of what passed, and the totals as its last line: `N passed, N failed`. The whole output of a run
 * that failed is kept in a file, which is named. When the variable `TUGTALK_TEST_FAILURES` names a file,
 * the failures are appended to it too, so that a caller can print those of several runs together.
 */
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Count, failedRun, formatFailure, type RunResult, readRun } from "./test-report.ts";

/** One kind of tests, recognised by the ending of its files. */
type Ring = {
  /** Arguments for `bun test` besides the files and the report. */
  readonly args: readonly string[];
  /** Commands that start the bridge; the ring runs once for each. Without them it runs from source. */
  readonly underTest?: readonly string[];
  /** A pattern for the files. Without it `bun test` finds the files itself. */
  readonly files?: string;
  /** What the text of each of these files has. */
  readonly having?: RegExp;
  /** The ring is killed, and has failed, after this time. */
  readonly limitMs: number;
  /** What its tests print on stdout is shown: tables and figures. */
  readonly hasFigures?: boolean;
};

/** What `npm run build` makes. */
const BUILT = [`${process.execPath} ${resolve("dist/cli.js")}`, resolve("dist/tugtalk")];

const RINGS: Record<string, Ring> = {
  // The time limit is long: it should end a test that hangs, not one on a busy machine.
  unit: { args: ["--parallel=3", "--timeout=30000"], limitMs: 900_000 },
  // These tests start the real CLI, which is slow.
  real: {
    args: ["--parallel=3", "--timeout=60000"],
    files: "tugtalk/**/*.real.ts",
    limitMs: 1_200_000,
  },
  // Every fault in every state. Each file runs several cases at once, so the files run one by one.
  faults: {
    args: ["--timeout=60000"],
    files: "tugtalk/**/*.faults.ts",
    limitMs: 600_000,
    hasFigures: true,
  },
  // Many random sessions, and captures cut at every byte.
  long: {
    args: ["--parallel=3", "--timeout=60000"],
    files: "tugtalk/**/*.long.ts",
    limitMs: 900_000,
  },
  // The page in a real Chromium, with a real host, bridge and stand-in.
  browser: {
    args: ["--parallel=3", "--timeout=60000"],
    files: "tugtalk/**/*.browser.ts",
    limitMs: 900_000,
  },
  // Sessions on a machine that is reached by a real `ssh`, which needs `sshd`.
  places: {
    args: ["--timeout=60000"],
    files: "tugtalk/**/*.places.ts",
    limitMs: 180_000,
  },
  // The examples in other languages need their compilers; the path of the README installs a clone.
  examples: {
    args: ["--timeout=60000"],
    files: "tugtalk/**/*.examples.ts",
    limitMs: 600_000,
  },
  // The package is packed and installed from the registry, and used on Node alone.
  package: {
    args: ["--timeout=60000"],
    files: "tugtalk/**/*.package.ts",
    limitMs: 600_000,
  },
  // The end-to-end tests on the products of `npm run build`.
  built: {
    // The first start of the binary reads 110 MB from disk.
    args: ["--timeout=30000"],
    files: "tugtalk/**/end-to-end.test.ts",
    underTest: BUILT,
    limitMs: 120_000,
  },
  // The everyday tests that start a bridge or a host as a process.
  processes: {
    args: ["--parallel=2", "--timeout=60000"],
    files: "tugtalk/**/*.test.ts",
    having:
      /(?:bridge-process|bridge-channels|bridge-states|silent-host|host-process|host-command)\.ts"/,
    underTest: BUILT,
    limitMs: 1_200_000,
  },
};

const ALL = "--all";

/** The rings of `--all`, each on everything that was built. */
const OF_ALL = ["processes", "faults", "places", "real"];

async function main(args: readonly string[]): Promise<void> {
  let total: Count = { passed: 0, failed: 0 };
  if (args.includes(ALL)) for (const name of OF_ALL) total = sum(total, await runRing(name, BUILT));
  else
    for (const name of args.length > 0 ? args : ["unit"]) total = sum(total, await runRing(name));
  const passed = total.failed === 0 && total.passed > 0;
  process.exitCode = passed ? 0 : 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
}

function sum(one: Count, other: Count): Count {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}

/** Runs one ring. A ring that cannot run, or finds no tests, counts as one failure. */
async function runRing(name: string, underTest = RINGS[name]?.underTest): Promise<Count> {
  const ring = RINGS[name];
  if (ring === undefined)
    return fail(`unknown ring "${name}"; the rings are ${Object.keys(RINGS).join(", ")}`);
  const files = ring.files === undefined ? [] : findFiles(ring.files, ring.having);
  if (ring.files !== undefined && files.length === 0) return fail(`no file matches ${ring.files}`);

  let total: Count = { passed: 0, failed: 0 };
  try {
    for (const command of underTest ?? [undefined]) {
      console.error(`test: ${name}${command === undefined ? "" : ` of ${command}`}`);
      total = sum(total, await runFiles(ring, files, command));
    }
    return total;
  } catch (error) {
    return sum(total, fail(`cannot run the ring "${name}": ${error}`));
  }
}

/** The files of a pattern as `./` paths, which `bun test` runs whatever their ending is. */
function findFiles(pattern: string, having = /^/): string[] {
  return [...new Bun.Glob(pattern).scanSync()]
    .filter((file) => having.test(readFileSync(file, "utf8")))
    .sort()
    .map((file) => `./${file}`);
}

/** One call of `bun test`. Its report and output are kept only if something failed. */
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

async function runIn(
  folder: string,
  { limitMs, hasFigures }: Ring,
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
    env: { ...process.env, ...(command !== undefined && { TUGTALK_UNDER_TEST: command }) },
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

await main(process.argv.slice(2));
