/**
 * The mutation check behind `npm run mutations`: puts one fault at a time into a copy of the project and runs
 * the everyday tests that should notice it. Prints each fault with the first test that fails, and as the last
 * line `N of M mutations caught`. The exit code is 1 when one is not caught. Arguments select the mutations
 * whose file or behaviour contains one of them.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { killGroup } from "../tugtalk/src/base/processes.ts";
import { findFile, mutate, sourceOf } from "./mutation-source.ts";
import { MUTATIONS, type Mutation } from "./mutation-table.ts";

/** After this time a run is ended, and its mutation counts as not caught. */
const LIMIT_MS = 120_000;

/** Copies of the sources that are tested at once. */
const COPIES = 2;

/** A copy, and the mutations that are put into it. */
type Copy = { readonly folder: string; readonly share: readonly Mutation[] };

/** A mutation that fits the sources: the file without and with the fault. */
type Prepared = {
  readonly mutation: Mutation;
  readonly path: string;
  readonly original: string;
  readonly mutated: string;
};

/** The outcome of a run of tests. */
type Outcome =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly test: string }
  | { readonly kind: "no verdict"; readonly reason: string };

/** Copies the working tree without the files that git ignores; the packages are linked. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-mutations-"));
  const listed = Bun.spawnSync(["git", "ls-files", "-z", "-co", "--exclude-standard"]);
  const files = listed.stdout.toString().split("\0");
  for (const file of files.filter((path) => path !== "" && existsSync(path))) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    copyFileSync(file, join(folder, file));
  }
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  return folder;
}

async function prepare(folder: string, mutation: Mutation): Promise<Prepared> {
  const path = join(folder, sourceOf(folder, mutation));
  const original = await Bun.file(path).text();
  return { mutation, path, original, mutated: mutate(original, mutation) };
}

/** Prepares all mutations, or throws with every text that does not fit the sources. */
async function prepareAll(folder: string, mutations: readonly Mutation[]): Promise<Prepared[]> {
  const results = await Promise.allSettled(mutations.map((mutation) => prepare(folder, mutation)));
  const faults = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  if (faults.length > 0) throw new Error(`adapt the table:\n${faults.join("\n")}`);
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

/** Runs test files up to the first test that fails. */
async function runTests(folder: string, names: readonly string[]): Promise<Outcome> {
  const files = names.map((name) => `./${findFile(folder, `tugtalk/**/${name}.test.ts`)}`);
  const child = Bun.spawn([process.execPath, "test", "--bail=1", "--timeout=30000", ...files], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
    detached: true,
  });
  const [stderr] = await Promise.all([child.stderr.text(), child.stdout.text(), child.exited]);
  // After the first failure `bun test` runs no `afterAll`, which would end the processes of the tests.
  killGroup(child.pid, "SIGKILL");
  if (child.signalCode !== null)
    return { kind: "no verdict", reason: `not ended after ${LIMIT_MS / 1000} s` };
  if (child.exitCode === 0) return { kind: "passed" };
  const test = firstFailure(stderr);
  return test === undefined
    ? { kind: "no verdict", reason: "bun test ended without a failed test" }
    : { kind: "failed", test };
}

/** The first failed test in the output of `bun test`, with its file. */
function firstFailure(output: string): string | undefined {
  const failure = /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/m.exec(output);
  if (failure === null) return undefined;
  const files = [...output.slice(0, failure.index).matchAll(/^(\S+\.test\.ts):$/gm)];
  return `${basename(files.at(-1)?.[1] ?? "")} > ${failure[1]}`;
}

async function runMutation(folder: string, prepared: Prepared): Promise<boolean> {
  const { mutation, path, original, mutated } = prepared;
  await Bun.write(path, mutated);
  const outcome = await runTests(folder, mutation.tests);
  await Bun.write(path, original);
  console.log(`${verdictOf(outcome)}\n    ${mutation.file}: ${mutation.breaks}`);
  return outcome.kind === "failed";
}

function verdictOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case "failed":
      return `caught by ${outcome.test}`;
    case "passed":
      return "SURVIVED";
    case "no verdict":
      return `NO VERDICT: ${outcome.reason}`;
  }
}

/** Runs the tests without a mutation: a test that always fails would catch every one. */
async function checkUnchanged({ folder, share }: Copy): Promise<void> {
  const names = [...new Set(share.flatMap(({ tests }) => tests))];
  const outcome = await runTests(folder, names);
  if (outcome.kind !== "passed")
    throw new Error(`the tests do not pass without a mutation: ${verdictOf(outcome)}`);
}

async function main(words: readonly string[]): Promise<void> {
  const chosen = MUTATIONS.filter(
    ({ file, breaks }) =>
      words.length === 0 || words.some((word) => `${file} ${breaks}`.includes(word)),
  );
  const copies = Array.from({ length: Math.min(COPIES, chosen.length) }, (_, index) => ({
    folder: copyProject(),
    share: chosen.filter((_, at) => at % COPIES === index),
  }));
  try {
    await Promise.all(copies.map(checkUnchanged));
    const verdicts = await Promise.all(copies.map(runShare));
    const caught = verdicts.flat().filter((isCaught) => isCaught).length;
    if (chosen.length === 0 || caught < chosen.length) process.exitCode = 1;
    console.log(`${caught} of ${chosen.length} mutations caught`);
  } finally {
    for (const { folder } of copies) rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs mutations one after the other in a copy. Gives for each whether it was caught. */
async function runShare({ folder, share }: Copy): Promise<boolean[]> {
  const prepared = await prepareAll(folder, share);
  const caught: boolean[] = [];
  for (const one of prepared) caught.push(await runMutation(folder, one));
  return caught;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`mutations: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
