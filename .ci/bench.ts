/**
 * The benchmarks behind `npm run bench`, which runs each in its short form: that fails only on what does not
 * depend on speed. `bun .ci/bench.ts --full` runs all of them in full, and `bun .ci/bench.ts <name>…` the
 * named ones, each with the flags that stand behind the names: `bun .ci/bench.ts peers --quick`. Each has its
 * own process, one after the other; the exit code is 1 when a limit is exceeded. `page`, which needs Chromium,
 * runs by its name only.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BENCHES = [
  "slow-host",
  "soak",
  "soak-session",
  "long-history",
  "reducer",
  "host-slow-clients",
  "host-streams",
  "host-fan-out",
  "host-attach",
  "host-decisions",
  "peers",
  "channels",
] as const;

const FULL = "--full";

/** The flags of the short forms that have others than `--short`. */
const SHORT_FORMS: Readonly<Record<string, readonly string[]>> = {
  peers: ["--quick", "--contenders=floor B,source"],
  channels: ["--rounds=1"],
};

function flagsAmongAll(name: string, isFull: boolean): readonly string[] {
  return isFull ? [] : (SHORT_FORMS[name] ?? ["--short"]);
}

async function main(args: readonly string[]): Promise<void> {
  const flags = args.filter((arg) => arg.startsWith("--"));
  const names = args.filter((arg) => !arg.startsWith("--"));
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-bench-"));
  try {
    for (const name of names) await runBench(name, folder, flags);
    if (names.length > 0) return;
    for (const name of BENCHES)
      await runBench(name, folder, flagsAmongAll(name, flags.includes(FULL)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one benchmark, whose files all go into `folder`. */
async function runBench(name: string, folder: string, flags: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, `tugtalk/bench/${name}.ts`, ...flags], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TMPDIR: folder, XDG_STATE_HOME: join(folder, "state") },
  });
  if ((await child.exited) === 0) return;
  console.error(`bench: ${name} failed`);
  process.exitCode = 1;
}

await main(process.argv.slice(2));
