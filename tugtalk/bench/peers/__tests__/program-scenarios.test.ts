/** The figures of tools and hooks come from answers of the host. Tried with a contender that changes them. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf } from "../../../testing/drivers/failure.ts";
import { CLAUDE_DIALECT } from "../dialects.ts";
import { PROGRAM_SCENARIOS } from "../program-scenarios.ts";
import { writePlannedClaude, writeQuickClaude } from "../quick-claude.ts";

const folder = mkdtempSync(join(tmpdir(), "peers-"));
afterAll(() => rmSync(folder, { recursive: true }));
const setting = {
  folder,
  planned: writePlannedClaude(folder),
  quick: writeQuickClaude(folder),
};

/**
 * A contender that passes Claude's lines through `sed` with this script; its host uses Claude's own dialect.
 */
function passing(script: string) {
  const command = (claude: string) => ["sh", "-c", `"$0" | sed -u '${script}'`, claude];
  const program = { dialect: CLAUDE_DIALECT, command };
  return { name: "passing", ...program, program };
}

test.each(PROGRAM_SCENARIOS)("$name has figures where each answer is the host's", async (one) => {
  const measures = await one.measure(passing(""), setting);
  expect(measures["first p50 µs"]).toBePositive();
  expect(measures["p50 µs"]).toBePositive();
  const changing = passing('/"control_request"/s/project.3.txt/project_4.txt/');
  const { message } = await failureOf(one.measure(changing, setting));
  expect(message).toContain("answers are those of the host");
});
