/**
 * `npm run acp [-- word…]`: compares the edge for ACP with the agent that people use, with the same Claude,
 * API script and client. Writes the table of `roadmap/acp.md`. With words, it measures only the rows whose
 * name has one of them, and keeps the others.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { claudePath } from "../tugtalk/testing/real/installed-claude.ts";
import { openAgents } from "../tugtalk/testing/side-by-side/agents.ts";
import { compareOn, type Row } from "../tugtalk/testing/side-by-side/comparison.ts";
import { formatRow, withRows } from "../tugtalk/testing/side-by-side/document.ts";
import { SCENARIOS } from "../tugtalk/testing/side-by-side/scenarios/scenarios.ts";

const DOCUMENT = "roadmap/acp.md";

async function main(words: readonly string[]): Promise<void> {
  const isWanted = ({ name }: { readonly name: string }) =>
    words.length === 0 || words.some((word) => name.includes(word));
  const agents = await openAgents(await claudePath("2.1.330"));
  for (const scenario of SCENARIOS.filter(isWanted)) {
    const row = await compareOn(scenario, agents);
    console.log(formatRow(row));
    // The rows so far are kept if a later one fails.
    write(row);
  }
  const format = ["x", "--no-install", "biome", "format", "--write", DOCUMENT];
  await Bun.spawn([process.execPath, ...format], { stdio: ["ignore", "ignore", "inherit"] }).exited;
}

function write(row: Row): void {
  const names = SCENARIOS.map(({ name }) => name);
  writeFileSync(DOCUMENT, withRows(readFileSync(DOCUMENT, "utf8"), [row], names));
}

await main(process.argv.slice(2));
