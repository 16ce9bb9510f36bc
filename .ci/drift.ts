/**
 * The drift check behind `npm run drift`: lists the kinds of message that Claude's published
 * declarations have and our registries lack, and fails when there are any. `--latest` checks the newest
 * published version instead, and only reports.
 */
import {
  declarationsOf,
  drift,
  newestVersion,
  PINNED,
  registry,
} from "../tugtalk/testing/captures/drift.ts";

async function main(flags: readonly string[]): Promise<void> {
  const isReport = flags.includes("--latest");
  const version = isReport ? await newestVersion() : PINNED;
  const unknown = drift(await declarationsOf(version), registry());
  for (const kind of unknown) console.log(`unknown: ${kind}`);
  console.log(`drift: ${version} declares ${unknown.length} kinds that are unknown here`);
  if (unknown.length > 0 && !isReport) process.exitCode = 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`drift: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
