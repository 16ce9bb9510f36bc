/** Messages to the host with the content of the conversation: texts, tool calls and tool results. */
import { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import {
  count,
  described,
  flag,
  looseOutbound,
  optionalFlag,
  optionalNumber,
  optionalText,
  outbound,
  text,
} from "./message-schemas.ts";
import { ContextSize } from "./turn-messages.ts";

export const UserText = outbound("user_text", {
  text: text.describe("The text."),
  content: z
    .array(jsonObject)
    .optional()
    .describe("All blocks, in the format of the Messages API. Absent if there is one text only."),
  kind: z
    .enum([
      "host",
      "synthetic",
      "subagent_prompt",
      "command_output",
      "interrupt_marker",
      "compact_summary",
      "history",
    ])
    .describe(
      "`host`: a message of the host, when it starts. `synthetic`: inserted by Claude. `subagent_prompt`: the prompt of a subagent. `command_output`: printed by a slash command. `interrupt_marker`: Claude's note of an interrupt. `compact_summary`: the summary after a compaction. `history`: a message of a past conversation, in `session_history_result` only.",
    ),
  message_id: optionalText.describe("For `host` and `history`: the id of the message."),
  is_error: optionalFlag.describe(
    "True for `command_output` of a command that failed. Absent otherwise.",
  ),
  context_usage: jsonObject
    .optional()
    .describe("The output of `/context` as data. Since Claude 2.1.330."),
  usage_report: jsonObject
    .optional()
    .describe("The output of `/usage` as data. Since Claude 2.1.330."),
}).describe("A text of the user's side of the conversation.");
export type UserText = z.infer<typeof UserText>;

/** With `parent_tool_use_id` the identity of a block. */
const block = {
  msg_id: text.describe("The message of Claude that the block is in."),
  block_index: count.describe(
    "The place of the block in the message, from 0 on. Gaps are possible.",
  ),
};
/** The fields of a text or thinking block. */
const streamedText = {
  ...block,
  text: optionalText.describe(
    "One delta if `partial`; the whole text, equal to the joined deltas, if `complete`; absent if `abandoned`.",
  ),
  is_partial: flag.describe("True for the status `partial`."),
  status: z
    .enum(["partial", "complete", "abandoned"])
    .describe(
      "A streamed block is `partial` and ends once, as `complete` or `abandoned` (not part of the conversation); one that is not streamed is `complete` only.",
    ),
  uuid: optionalText.describe(
    "Claude's id of the line, as for `at_message`. Absent unless `complete`.",
  ),
};

export const AssistantText = outbound("assistant_text", {
  ...streamedText,
  synthetic: optionalFlag.describe("True: written by the CLI, not by a model. Absent otherwise."),
  is_error: optionalFlag.describe("True: the text says why a model call failed. Absent otherwise."),
  error: optionalText.describe(
    "Claude's name for the error: `rate_limit`, `authentication_failed`, … Absent without `is_error`.",
  ),
  api_error_type: optionalText.describe(
    "The API's name for the error: `invalid_request_error`, … Absent if it gave none. Since Claude 2.1.330.",
  ),
  aborted: optionalFlag.describe(
    "True: complete, but cut short by an interrupt. Absent otherwise. Since Claude 2.1.330.",
  ),
}).describe("A text of the model.");
export type AssistantText = z.infer<typeof AssistantText>;

export const ThinkingText = outbound("thinking_text", {
  ...streamedText,
  redacted: optionalFlag.describe(
    "True: the API redacted it, and its text is empty. Absent otherwise.",
  ),
}).describe("Thinking of the model.");

const toolUseId = text.describe("The id of the tool call.");
const toolName = optionalText.describe(
  "The tool. Absent if its call was never seen, or is no longer remembered.",
);

const ToolUse = outbound("tool_use", {
  ...block,
  tool_use_id: toolUseId,
  tool_name: text.describe("The tool. One of an MCP server is named `mcp__<server>__<tool>`."),
  input: jsonObject.optional().describe("The input of the tool. Absent unless `complete`."),
  status: z
    .enum(["streaming", "complete", "abandoned"])
    .describe(
      "`streaming`: the name is known. `complete`: the input is. `abandoned`: the call is not part of the conversation.",
    ),
}).describe("A tool call of the model.");

export const MessageRetracted = outbound("message_retracted", {
  msg_id: text.describe("The message of Claude that the block is in."),
  block_index: count.optional().describe("The block. Absent: all blocks of the message."),
  reason: z
    .enum(["superseded", "refusal"])
    .describe("`superseded`: a later answer replaces it. `refusal`: another model answers."),
}).describe("Claude replaced or withdrew a `complete` block: a host removes it.");
export type MessageRetracted = z.infer<typeof MessageRetracted>;

export const MessageComplete = outbound("message_complete", {
  msg_id: text.describe("The message of Claude."),
  stop_reason: text.describe(
    "Why the model stopped, by the Messages API: `end_turn`, `tool_use`, `max_tokens`, `refusal`, `model_context_window_exceeded`, …",
  ),
  context: ContextSize.optional().describe(
    "How full the context is. In the main conversation only. Absent if Claude does not say.",
  ),
}).describe(
  "The model has finished a message. Follows the blocks of a streamed message, and the first block of one that came whole. Not sent for a message that was broken off, nor where Claude names no reason: a live session says it of no subagent, and a transcript since Claude 2.1.197.",
);

const ToolInputDelta = outbound("tool_input_delta", {
  tool_use_id: toolUseId,
  partial_json: text.describe("A part of the JSON text of the input."),
}).describe("The input of a tool streams. Only with `options.tool_input_deltas`.");

const PermissionDecision = z
  .object({
    decision: text.describe("`accept` or `reject`."),
    source: text.describe(
      "Who decided, by Claude's name: `user_temporary`, `user_permanent`, `user_reject`, `config`, `hook`, …",
    ),
    reason_type: optionalText.describe(
      "The part of the configuration that decided: `rule`, `mode`, … Absent if Claude names none.",
    ),
  })
  .meta({
    id: "PermissionDecision",
    description: "How it was decided whether a tool call may run.",
  });

const ToolResult = outbound("tool_result", {
  tool_use_id: toolUseId,
  tool_name: toolName,
  output: text.describe("The text, without error tags."),
  is_error: flag.describe("The tool failed or was refused."),
  content: z
    .array(z.looseObject({ type: text.describe("The kind of the block: `text`, `image`, …") }))
    .optional()
    .describe("All blocks, in the format of the Messages API. Absent if there is text only."),
  permission_decision: PermissionDecision.optional().describe(
    "Absent if there was nothing to decide. Since Claude 2.1.330.",
  ),
  non_execution_kind: optionalText.describe(
    "Why the tool did not run: `permission-rule`, `user-rejected`, … Absent if it ran. Since Claude 2.1.330.",
  ),
}).describe("The result of a tool call, as the model gets it.");

const ToolUseStructured = outbound("tool_use_structured", {
  tool_use_id: toolUseId,
  tool_name: toolName,
  structured_result: z
    .unknown()
    .describe(
      "Claude's `tool_use_result`: an object for most tools (`EditToolResult` for Edit, `WriteToolResult` for Write), an array for MCP, a string for failures.",
    ),
}).describe("The result of a tool call as data, for display. Not sent for the tools of subagents.");

/** Claude's fields of a compaction. */
export const COMPACTION_FIELDS = {
  trigger: optionalText.describe("`manual` or `auto`."),
  ...described(optionalNumber, {
    pre_tokens: "The tokens of the conversation before.",
    post_tokens: "The tokens of the conversation after. Since Claude 2.1.197.",
  }),
};

const CompactBoundary = looseOutbound("compact_boundary", COMPACTION_FIELDS).describe(
  "The conversation was shortened here. Further fields of Claude pass through.",
);

const CompactionResult = outbound("compaction_result", {
  result: text.describe("`success` or `failed`."),
  error: optionalText.describe("Why it failed. Absent for a success."),
}).describe(
  "A compaction has ended. After a success `compact_boundary` follows. Since Claude 2.1.197.",
);

export const CONTENT_MESSAGES = [
  UserText,
  AssistantText,
  ThinkingText,
  MessageRetracted,
  MessageComplete,
  ToolUse,
  ToolInputDelta,
  ToolResult,
  ToolUseStructured,
  CompactBoundary,
  CompactionResult,
] as const;
