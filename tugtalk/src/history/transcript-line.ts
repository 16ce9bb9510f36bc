/** One line of a transcript: its position in the conversation, and the messages that it stands for. */
import type { Line } from "../base/lines.ts";
import { isModelTrace } from "../routing/local-commands.ts";
import type { OutboundDraft } from "../types.ts";
import { messagesOf } from "./line-messages.ts";
import { parentOf, parseRawLine, type RawLine } from "./raw-line.ts";

/** A line that belongs to a conversation, whether or not a host sees it. */
export type TranscriptLine = {
  readonly uuid: string;
  readonly parent: string | undefined;
  readonly isSidechain: boolean;
  readonly role: LineRole;
  /** The assistant message that this line is a block of. */
  readonly messageId: string | undefined;
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
  readonly messages: readonly OutboundDraft[];
};

/**
 * The role of a line in the order of a conversation. `user_prompt`: a turn begins here. `compaction`: a boundary
 * or a summary. `model_echo`: the output of a model change by request; it and its parent are not live.
 * `system_note`: Claude's note that the Stop hooks ran, or that a request failed.
 */
export type LineRole = "user_prompt" | "compaction" | "model_echo" | "system_note" | "other";

/** Parses a line of the main conversation or of a subagent. Undefined: it belongs to no conversation. */
export function parseTranscriptLine(
  line: Line,
  parentToolUseId?: string,
): TranscriptLine | "broken" | undefined {
  const raw = parseRawLine(line);
  if (raw === undefined) return "broken";
  const isMessage = raw.type === "user" || raw.type === "assistant";
  if (raw.uuid === undefined) return isMessage ? "broken" : undefined;
  const messages = messagesOf({ ...raw, parent_tool_use_id: parentToolUseId });
  if (messages === undefined) return "broken";
  return {
    uuid: raw.uuid,
    parent: parentOf(raw),
    isSidechain: raw.isSidechain === true,
    role: roleOf(raw, messages),
    messageId: messageIdIn(messages),
    toolCalls: toolUseIdsIn(messages, "tool_use"),
    toolResults: toolUseIdsIn(messages, "tool_result"),
    messages,
  };
}

function roleOf(raw: RawLine, messages: readonly OutboundDraft[]): LineRole {
  if (raw.isCompactSummary === true || raw.subtype === "compact_boundary") return "compaction";
  if (raw.subtype === "stop_hook_summary" || raw.subtype === "api_error") return "system_note";
  if (raw.type === "user" && messages.some(isModelTrace)) return "model_echo";
  return raw.type !== "attachment" && messages.some(isUserPrompt) ? "user_prompt" : "other";
}

function isUserPrompt(message: OutboundDraft): boolean {
  return message.type === "user_text" && message.kind === "history";
}

function messageIdIn([first]: readonly OutboundDraft[]): string | undefined {
  return first !== undefined && "msg_id" in first && typeof first.msg_id === "string"
    ? first.msg_id
    : undefined;
}

function toolUseIdsIn(
  messages: readonly OutboundDraft[],
  type: "tool_use" | "tool_result",
): string[] {
  return messages.flatMap((message) => (message.type === type ? [message.tool_use_id] : []));
}
