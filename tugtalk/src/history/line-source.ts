/**
 * The source of a `user` line of a transcript, by Claude's notes beside its text. A text that quotes Claude's own
 * tags is a text of the user. Protocol reference §7.
 */
import { fieldsOf } from "../base/json.ts";
import { parseOutput } from "../routing/local-commands.ts";
import { isInterruptMarker } from "../routing/tool-results.ts";
import { hasToolResult, type PromptContent, type RawLine } from "./raw-line.ts";

/**
 * `prompt`: a message of the user. `command`: a slash command, in Claude's tags. `output`: the output of a
 * command. `task`: the end of a background task. `subagent`: a line of a subagent. `claude`: tool results,
 * and any other text that Claude adds.
 */
export type LineSource = "prompt" | "command" | "output" | "task" | "subagent" | "claude";

export function sourceOf(raw: RawLine, content: PromptContent): LineSource {
  if (raw["parent_tool_use_id"] !== undefined) return "subagent";
  const { kind } = fieldsOf(raw["origin"]);
  if (kind === "task-notification") return "task";
  // The Agent SDK marks the prompts of its users as well.
  if ((raw["origin"] ?? undefined) !== undefined && kind !== "human") return "claude";
  if (raw.isCompactSummary === true || hasToolResult(content)) return "claude";
  // Claude notes the permission mode of a prompt, unless it starts with a slash.
  if (raw["permissionMode"] !== undefined) return "prompt";
  return typeof content === "string" ? sourceOfText(content) : sourceOfBlocks(content);
}

/** A text without a permission mode. V38 has no tags around its answer to an unknown command. */
function sourceOfText(text: string): LineSource {
  if (parseOutput(text) !== undefined || /^Unknown skill: \S+$/.test(text)) return "output";
  return /^\s*<command-/.test(text) ? "command" : "prompt";
}

function sourceOfBlocks(content: Exclude<PromptContent, string>): LineSource {
  const [block, ...others] = content;
  const text = others.length === 0 ? block?.["text"] : undefined;
  return typeof text === "string" && isInterruptMarker(text) ? "claude" : "prompt";
}
