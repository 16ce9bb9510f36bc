/**
 * What is behind `npm run bench`: each bench in a process of its own, one after the other. It fails
 * if one of them finds a bound broken. `bun .ci/bench.ts <name>…` runs only those.
 */
const BENCHES = ["slow-host", "soak", "soak-session", "long-history"] as const;

async function main(names: readonly string[]): Promise<void> {
  for (const name of names.length > 0 ? names : BENCHES) {
    const child = Bun.spawn([process.execPath, `tugtalk/bench/${name}.ts`], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    if ((await child.exited) === 0) continue;
    console.error(`bench: ${name} failed`);
    process.exitCode = 1;
  }
}

await main(process.argv.slice(2));
