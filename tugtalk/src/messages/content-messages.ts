/** The messages that carry the conversation: texts, thinking, tool calls and their results. */
import { z } from "zod";
import { jsonObject } from "../base/json.ts";
import { outbound } from "./envelope.ts";

const text = z.string();

/** What the user side of the conversation says. */
export const UserText = outbound("user_text", {
  text,
  content: z.array(jsonObject).optional(),
  kind: z.enum([
    "host",
    "synthetic",
    "subagent_prompt",
    "command_output",
    "interrupt_marker",
    "compact_summary",
    "history",
  ]),
  message_id: text.optional(),
  is_error: z.boolean().optional(),
  /** What `/context` and `/usage` say, as data. */
  context_usage: jsonObject.optional(),
  usage_report: jsonObject.optional(),
});
export type UserText = z.infer<typeof UserText>;

/** Where a block stands: Claude's message id, and the position in that message from 0 on. */
const block = { msg_id: text, block_index: z.number().int().nonnegative() };
/** The fields of a text or a thinking block, which streams. */
export const streamedText = {
  ...block,
  /** One delta while partial, the whole text when complete, absent when abandoned. */
  text: text.optional(),
  is_partial: z.boolean(),
  status: z.enum(["partial", "complete", "abandoned"]),
  uuid: text.optional(),
};

export const AssistantText = outbound("assistant_text", {
  ...streamedText,
  /** Written by the CLI itself, not by a model. */
  synthetic: z.boolean().optional(),
  is_error: z.boolean().optional(),
  /** Claude's name for the error: `rate_limit`, `authentication_failed`, … */
  error: text.optional(),
  /** Cut short by an interrupt: the whole of what there is. */
  aborted: z.boolean().optional(),
});
export type AssistantText = z.infer<typeof AssistantText>;

/** A tool call: its name as soon as it is known, its true input when complete. */
export const ToolUse = outbound("tool_use", {
  ...block,
  tool_use_id: text,
  tool_name: text,
  input: jsonObject.optional(),
  status: z.enum(["streaming", "complete", "abandoned"]),
});
export type ToolUse = z.infer<typeof ToolUse>;

/** Claude took back what was told whole: a host removes the block. */
export const MessageRetracted = outbound("message_retracted", {
  msg_id: text,
  /** Absent: all blocks of the message. */
  block_index: z.number().int().nonnegative().optional(),
  reason: z.enum(["superseded", "refusal"]),
});
export type MessageRetracted = z.infer<typeof MessageRetracted>;

export const ToolInputDelta = outbound("tool_input_delta", {
  tool_use_id: text,
  partial_json: text,
});

export const ToolResult = outbound("tool_result", {
  tool_use_id: text,
  tool_name: text.optional(),
  /** The text, with error tags stripped. */
  output: text,
  is_error: z.boolean(),
  /** The blocks as Claude gave them, where there is more than text. */
  content: z.array(z.looseObject({ type: text })).optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;
