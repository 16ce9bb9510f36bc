/** The output of a command: as a terminal for a client that shows one, otherwise as a fenced text. Pure. */
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { exitCodeOf } from "../../client/views/tool-outputs.ts";
import type { Fields } from "../../src/base/json.ts";
import { fenced } from "./fenced-text.ts";
import { textContent } from "./text-content.ts";
import type { MessageOf, UpdateState } from "./update-state.ts";

/** The part of an update that only commands have. */
type Part = { readonly content?: ToolCallContent[]; readonly _meta?: Fields };

const COMMANDS: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);

/** Opens the terminal of a call. */
export function commandBegin(
  { features, dir }: Pick<UpdateState, "features" | "dir">,
  id: string,
  name: string,
): Part {
  if (!features.terminals || !COMMANDS.has(name)) return {};
  const _meta = { terminal_info: { terminal_id: id, cwd: dir } };
  return { content: [{ type: "terminal", terminalId: id }], _meta };
}

/** The output; undefined for other tools. */
export function commandEnd(
  { features }: UpdateState,
  name: string,
  { tool_use_id: id, output, is_error }: MessageOf<"tool_result">,
): Part | undefined {
  if (!COMMANDS.has(name)) return undefined;
  const code = is_error ? exitCodeOf({ result: { output, isError: true } }) : 0;
  // A command that did not run has the reason as its text.
  if (code === undefined) return { content: textContent(output), ...terminalExit(features, id) };
  if (!features.terminals) return { content: textContent(fenced(output, "console")) };
  const { _meta } = terminalExit(features, id, code);
  return { _meta: { terminal_output: { terminal_id: id, data: output }, ..._meta } };
}

/** Ends the terminal of a call. */
export function terminalExit(
  { terminals }: UpdateState["features"],
  id: string,
  code?: number,
): { readonly _meta?: Fields } {
  if (!terminals) return {};
  return { _meta: { terminal_exit: { terminal_id: id, exit_code: code ?? null, signal: null } } };
}
