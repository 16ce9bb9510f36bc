/** The commands of the chats and of the hosts with a tool; those in Go are built first. */
import { expect } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXAMPLES } from "./example-process.ts";

/** Where files of the tests of chats go. */
export const folder = mkdtempSync(join(tmpdir(), "chats-"));

type Commands = Readonly<Record<string, readonly string[]>>;

/** One example by language. */
function commandsOf(name: string): Commands {
  return {
    Python: ["python3", join(EXAMPLES, `${name}.py`)],
    Node: ["node", join(EXAMPLES, `${name}.mjs`)],
    Go: [join(folder, name)],
  };
}

export const CHATS: Commands = commandsOf("chat");
export const TOOLS: Commands = commandsOf("tool");

/** Needs the compiler, and fails without it. */
export function buildGo(name: "chat" | "tool"): void {
  const env = { ...process.env, GOCACHE: join(folder, "cache") };
  const source = join(EXAMPLES, `${name}.go`);
  const build = Bun.spawnSync(["go", "build", "-o", join(folder, name), source], { env });
  expect(build.stderr.toString()).toBe("");
  expect(build.exitCode).toBe(0);
}
