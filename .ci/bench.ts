/**
 * The benchmarks behind `npm run bench`. Each runs in its own process, one after the other; the exit
 * code is 1 when a limit is exceeded. `bun .ci/bench.ts <name>…` runs only the named ones.
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
] as const;

async function main(names: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-bench-"));
  try {
    for (const name of names.length > 0 ? names : BENCHES) await runBench(name, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one benchmark, whose files all go into `folder`. */
async function runBench(name: string, folder: string): Promise<void> {
  const child = Bun.spawn([process.execPath, `tugtalk/bench/${name}.ts`], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TMPDIR: folder, XDG_STATE_HOME: join(folder, "state") },
  });
  if ((await child.exited) === 0) return;
  console.error(`bench: ${name} failed`);
  process.exitCode = 1;
}

await main(process.argv.slice(2));
