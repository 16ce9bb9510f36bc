/** Which Claude a reference host starts: the real CLI where there is one, else the demonstration. */
import type { Line } from "./terminal-text.ts";

/** What was found, as flags and environment for the bridge, and a line that says so. */
export type ClaudeChoice = {
  readonly command: string;
  readonly env: Record<string, string>;
  readonly notice: Line;
};

const SIMULATOR = `${import.meta.dir}/../simulator/claude.ts`;
const DEMONSTRATION = `${import.meta.dir}/../simulator/scenarios/demonstration.jsonl`;

/** Chooses by flags first, then by environment, then by what is on PATH. */
export function chooseClaude(flags: { claude?: string; demo?: boolean }): ClaudeChoice {
  if (flags.demo === true) return demonstration("leave out --demo for the real one");
  const named = flags.claude ?? process.env["TUGTALK_CLAUDE"];
  const command = named ?? Bun.which("claude") ?? undefined;
  if (command === undefined) {
    return demonstration("no claude on PATH; install it or name one with --claude <command>");
  }
  const change = "another: --claude <command>; a demonstration without an account: --demo";
  return { command, env: {}, notice: { style: "dim", text: `Claude: ${command} (${change})` } };
}

function demonstration(change: string): ClaudeChoice {
  const text = `Claude: the built-in demonstration, not the real one (${change})`;
  const env = { TUGTALK_CONVERSATION: DEMONSTRATION };
  return { command: SIMULATOR, env, notice: { style: "dim", text } };
}
