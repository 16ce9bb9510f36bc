/**
 * The user side of what Claude prints: tool results with their structured twins, and the tags that
 * wrap the output of local commands. Protocol reference §3c, §6, §9; PN-3, PN-4, PN-13.
 */

import type { UserText } from "../messages/content-messages.ts";
import type { ToolResultBlock, UserBlock, UserMessage } from "../messages/conversation-lines.ts";
import type { OutboundDraft } from "../types.ts";

const ERROR_TAGS = /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/;
const COMMAND_OUTPUT = /<local-command-(stdout|stderr)>([\s\S]*?)<\/local-command-\1>/;
const INTERRUPT_MARKER = /^\[Request interrupted by user( for tool use)?\]$/;

/** The result of one tool call. Its name is added where the call is known. */
export function fromToolResult(block: ToolResultBlock): OutboundDraft {
  const { content } = block;
  const isPlain = typeof content === "string" || !content?.some(({ type }) => type !== "text");
  return {
    type: "tool_result",
    tool_use_id: block.tool_use_id,
    output: withoutErrorTags(plainText(content)),
    is_error: block.is_error === true,
    ...(!isPlain && Array.isArray(content) && { content }),
  };
}

function plainText(content: ToolResultBlock["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .map((block) =>
      block.type === "text" && typeof block["text"] === "string" ? block["text"] : "",
    )
    .join("");
}

function withoutErrorTags(text: string): string {
  return ERROR_TAGS.exec(text)?.[1] ?? text;
}

/** The structured twin of a tool result, which sits on the envelope (PN-4). */
export function fromToolUseResult(event: UserMessage): OutboundDraft[] {
  const [block] = toolResults(event);
  if (block === undefined || event.tool_use_result === undefined) return [];
  return [
    {
      type: "tool_use_structured",
      tool_use_id: block.tool_use_id,
      structured_result: event.tool_use_result,
    },
  ];
}

/** The tool results that a user line carries; one at most has been seen. */
export function toolResults(event: UserMessage): ToolResultBlock[] {
  const { content } = event.message;
  return typeof content === "string" ? [] : content.filter((block) => block.type === "tool_result");
}

/** What a user line says beside tool results, or nothing. */
export function fromUserText(event: UserMessage): OutboundDraft[] {
  const text = spokenText(event.message.content);
  if (text === undefined) return [];
  const output = COMMAND_OUTPUT.exec(text);
  if (output !== null) return [commandOutput(output[2] ?? "", output[1] === "stderr")];
  return [{ type: "user_text", text, kind: kindOfText(event, text) }];
}

/** The trace that a change of the model leaves in the conversation; the change itself is told apart (§19). */
export function isModelEcho({ message }: UserMessage): boolean {
  return spokenText(message.content)?.startsWith("<local-command-stdout>Set model to") === true;
}

/** The output of a local command, without its tags; also what newer CLIs print as an assistant. */
export function commandOutput(text: string, isError: boolean): OutboundDraft {
  return { type: "user_text", text, kind: "command_output", ...(isError && { is_error: true }) };
}

function spokenText(content: string | readonly UserBlock[]): string | undefined {
  if (typeof content === "string") return content;
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return texts.length === 0 ? undefined : texts.join("\n");
}

function kindOfText(event: UserMessage, text: string): UserText["kind"] {
  if (INTERRUPT_MARKER.test(text)) return "interrupt_marker";
  if (event["isCompactSummary"] === true) return "compact_summary";
  return typeof event.parent_tool_use_id === "string" ? "subagent_prompt" : "synthetic";
}
