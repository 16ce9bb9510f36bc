/** The interface of the module for past conversations. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IMPORTS } from "../../../testing/drivers/import-graph.ts";
import { transcriptIn } from "../../../testing/drivers/mirrored-session.ts";
import { openPastConversations } from "../past-conversations.ts";

test("a bridge imports the modules of src/history on their first use", async () => {
  const text = await Bun.file(new URL("../past-conversations.ts", import.meta.url)).text();
  expect(text).toContain('await import("./session-list.ts")');
  expect(text.match(/^import (?!type ).*"\.\/.*$/gm)).toBeNull();
  const fromOutside = IMPORTS.filter(
    ({ from, to, isType }) =>
      !isType && to.startsWith("src/history/") && !from.startsWith("src/history/"),
  );
  // Sub-commands, which are loaded when they are named, and import this room as late as they can.
  const ofBridge = fromOutside.filter(
    ({ from }) => from !== "simulate.ts" && !from.startsWith("acp/"),
  );
  expect(new Set(ofBridge.map(({ to }) => to))).toEqual(
    new Set([
      "src/history/history-requests.ts",
      "src/history/past-conversations.ts",
      "src/history/transcript-mirror.ts",
    ]),
  );
});

test.each([
  ["CLAUDE_CONFIG_DIR", (root: string) => ({ HOME: "/nobody", CLAUDE_CONFIG_DIR: root }), ""],
  ["HOME", (root: string) => ({ HOME: root, CLAUDE_CONFIG_DIR: null }), ".claude"],
] as const)(
  "before a session begins, a conversation is restored to where a Claude with another %s looks for it",
  async (_, env, below) => {
    const root = mkdtempSync(join(tmpdir(), "past-"));
    const session_id = crypto.randomUUID();
    const line = JSON.stringify({ sessionId: session_id });
    const { readPast } = openPastConversations(root, undefined, () => {});
    const files = [{ file: `${session_id}.jsonl`, offset: 0, lines: [line] }];
    const request = { type: "transcript_restore", session_id, env: env(root), files } as const;
    expect(await readPast(request)).toMatchObject({ ok: true, is_written: true });
    const path = transcriptIn(join(root, below), root, session_id);
    expect(readFileSync(path, "utf8")).toBe(`${line}\n`);
    rmSync(root, { recursive: true });
  },
);
