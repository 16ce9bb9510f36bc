/**
 * The checks behind `npm run check`: format and lint, types, and the everyday tests. Stops at the first
 * step that fails and names it. `--no-tests` leaves out the tests.
 */

/** One step: a name, and the arguments for `bun`. */
type Step = { readonly name: string; readonly args: readonly string[] };

const steps: readonly Step[] = [
  { name: "format and lint", args: ["x", "--no-install", "biome", "ci", "--colors=off", "."] },
  { name: "types", args: ["x", "--no-install", "tsc", "-p", "."] },
];

const tests: Step = { name: "tests", args: [".ci/test.ts", "unit"] };

async function main(flags: readonly string[]): Promise<void> {
  const chosen = flags.includes("--no-tests") ? steps : [...steps, tests];
  for (const step of chosen) {
    if (await runStep(step)) continue;
    console.error(`check: failed at ${step.name}: bun ${step.args.join(" ")}`);
    process.exitCode = 1;
    return;
  }
}

/** Runs one step; true when it passed. */
async function runStep({ name, args }: Step): Promise<boolean> {
  console.error(`check: ${name}`);
  const child = Bun.spawn([process.execPath, ...args], { stdio: ["ignore", "inherit", "inherit"] });
  return (await child.exited) === 0;
}

await main(process.argv.slice(2));
