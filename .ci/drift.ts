/**
 * The drift alarm behind `npm run drift`: names what Claude's published declarations have and our
 * registries lack, and fails if there is any. `--latest` looks at the newest published version
 * instead, and only reports.
 */
import {
  declarationsOf,
  drift,
  newestVersion,
  PINNED,
  registry,
} from "../tugtalk/src/__tests__/support/drift.ts";

async function main(flags: readonly string[]): Promise<void> {
  const isReport = flags.includes("--latest");
  const version = isReport ? await newestVersion() : PINNED;
  const unknown = drift(await declarationsOf(version), registry());
  for (const kind of unknown) console.log(`not known: ${kind}`);
  console.log(`drift: ${version} declares ${unknown.length} kinds that we do not know`);
  if (unknown.length > 0 && !isReport) process.exitCode = 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`drift: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
