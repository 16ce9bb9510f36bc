/** The check that a contender delivers every message, with one that changes them. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLAUDE_DIALECT } from "../dialects.ts";
import { writePlannedClaude } from "../quick-claude.ts";
import { findLosses } from "../whole-delivery.ts";

const folder = mkdtempSync(join(tmpdir(), "peers-"));
afterAll(() => rmSync(folder, { recursive: true }));
const place = { folder, claude: writePlannedClaude(folder) };

/** A contender that passes Claude's lines through `sed` with this script. */
function losing(script: string) {
  const command = (claude: string) => ["sh", "-c", `"$0" | sed -u '${script}'`, claude];
  return { name: "losing", dialect: CLAUDE_DIALECT, command };
}

test.each([
  ["drops a piece of text", '/text_delta.*"lo, "/d', ["pieces"]],
  ["changes a whole text", '/"assistant"/s/"Hello/"Hallo/', ["whole texts"]],
  ["changes what a prompt asks for", "/can_use_tool/s/3.txt/4.txt/", ["prompts", "answers"]],
  ["shortens the result", '/"result":/s/word 0/word/', ["result"]],
])("a contender that %s is found out", async (_, script, losses) => {
  expect(await findLosses(losing(script), place)).toEqual(losses);
});
