/** The commands of the chats; the one in Go is built first. */
import { expect } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXAMPLES } from "./example-process.ts";

/** Where files of the tests of chats go. */
export const folder = mkdtempSync(join(tmpdir(), "chats-"));

const GO_CHAT = join(folder, "chat");

/** By language. */
export const CHATS: Readonly<Record<string, readonly string[]>> = {
  Python: ["python3", join(EXAMPLES, "chat.py")],
  Node: ["node", join(EXAMPLES, "chat.mjs")],
  Go: [GO_CHAT],
};

/** Needs the compiler, and fails without it. */
export function buildGoChat(): void {
  const env = { ...process.env, GOCACHE: join(folder, "cache") };
  const build = Bun.spawnSync(["go", "build", "-o", GO_CHAT, join(EXAMPLES, "chat.go")], { env });
  expect(build.stderr.toString()).toBe("");
  expect(build.exitCode).toBe(0);
}
