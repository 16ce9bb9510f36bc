/**
 * The `user` lines that Claude prints: tool results with their structured twins, and texts. Protocol
 * reference §3c, §6, §9.
 */

import type { UserText } from "../messages/content-messages.ts";
import type { ToolResultBlock, UserBlock, UserMessage } from "../messages/conversation-lines.ts";
import { definedFields } from "../messages/envelope.ts";
import type { OutboundDraft } from "../types.ts";
import { fromReplay } from "./local-commands.ts";
import { fromOtherBlocks } from "./other-blocks.ts";
import { withParentOf } from "./parent-tool-use-id.ts";

const ERROR_TAGS = /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/;
const INTERRUPT_MARKER = /^\[Request interrupted by user( for tool use)?\]$/;

/** An echo of a host message confirms it and has no message. */
export function fromUser(event: UserMessage): OutboundDraft[] {
  const isEcho = event.isReplay === true;
  const text = isEcho ? fromReplay(event) : fromText(event);
  return withParentOf(event, [
    ...(text === undefined ? [] : [text]),
    ...toolResults(event).map((block) => fromToolResult(block, event)),
    ...fromToolUseResult(event),
    ...(isEcho ? [] : fromOtherBlocks(event)),
  ]);
}

/** The tool results of a `user` line; more than one has not been seen. */
export function toolResults(event: UserMessage): ToolResultBlock[] {
  const { content } = event.message;
  return typeof content === "string" ? [] : content.filter((block) => block.type === "tool_result");
}

export function isInterruptMarker(text: string): boolean {
  return INTERRUPT_MARKER.test(text);
}

/** Adds the name of the tool, which Claude does not repeat, to the message of a result. */
export function withToolName(
  message: OutboundDraft,
  nameOf: (toolUseId: string) => string | undefined,
): OutboundDraft {
  if (message.type !== "tool_result" && message.type !== "tool_use_structured") return message;
  const tool_name = nameOf(message.tool_use_id);
  return tool_name === undefined ? message : { ...message, tool_name };
}

function fromToolResult(block: ToolResultBlock, event: UserMessage): OutboundDraft {
  const { content } = block;
  const is_error = block.is_error === true;
  const text = plainText(content);
  const isPlain = typeof content === "string" || !content?.some(({ type }) => type !== "text");
  return {
    type: "tool_result",
    tool_use_id: block.tool_use_id,
    output: is_error ? withoutErrorTags(text) : text,
    is_error,
    ...(!isPlain && Array.isArray(content) && { content }),
    ...decisionOf(block, event),
  };
}

/** How the call was permitted, and why it did not run: newer CLIs say so beside the result. */
function decisionOf({ tool_use_id }: ToolResultBlock, { tool_result_meta }: UserMessage) {
  const meta = tool_result_meta?.find(({ id }) => id === tool_use_id);
  if (meta === undefined) return {};
  const { permission_decision: made, non_execution_kind: kind } = meta;
  const permission_decision = made == null ? undefined : withoutOthers(made);
  return definedFields({ permission_decision, non_execution_kind: kind ?? undefined });
}

type Decision = { decision: string; source: string; reason_type?: string | null | undefined };

function withoutOthers({ decision, source, reason_type }: Decision) {
  return definedFields({ decision, source, reason_type: reason_type ?? undefined });
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

/** The structured twin of a tool result. It is on the envelope, not in the block. */
function fromToolUseResult(event: UserMessage): OutboundDraft[] {
  const { tool_use_result: structured_result } = event;
  const [block] = toolResults(event);
  if (block === undefined || structured_result === undefined) return [];
  return [{ type: "tool_use_structured", tool_use_id: block.tool_use_id, structured_result }];
}

function fromText(event: UserMessage) {
  const text = textOf(event.message.content);
  if (text === undefined) return undefined;
  return { type: "user_text" as const, text, kind: kindOf(event, text) };
}

function textOf(content: string | readonly UserBlock[]): string | undefined {
  if (typeof content === "string") return content;
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return texts.length === 0 ? undefined : texts.join("\n");
}

function kindOf(event: UserMessage, text: string): UserText["kind"] {
  if (typeof event.parent_tool_use_id === "string") return "subagent_prompt";
  if (event["isCompactSummary"] === true) return "compact_summary";
  // Claude flags all texts in blocks that it adds, except the marker.
  const isUnmarked = event.isSynthetic !== true && Array.isArray(event.message.content);
  return isUnmarked && isInterruptMarker(text) ? "interrupt_marker" : "synthetic";
}
