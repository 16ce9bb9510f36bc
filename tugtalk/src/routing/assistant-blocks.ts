/** The content blocks of an `assistant` line. Protocol reference §3b, §6. */

import type { AssistantBlock, AssistantMessage } from "../messages/conversation-lines.ts";
import { definedFields } from "../messages/envelope.ts";
import type { OutboundDraft } from "../types.ts";
import { commandOutput } from "./local-commands.ts";
import { fromOtherBlocks } from "./other-blocks.ts";
import { withParentOf } from "./parent-tool-use-id.ts";

/** The model of texts that the CLI writes itself: API errors and the output of local commands. */
const SYNTHETIC_MODEL = "<synthetic>";

export function fromAssistant(event: AssistantMessage): OutboundDraft[] {
  const blocks = event.message.content.flatMap((block, blockIndex) =>
    block.type === "other" ? [] : [fromBlock(block, blockIndex, event)],
  );
  return withParentOf(event, [...blocks, ...fromOtherBlocks(event), ...fromStopReason(event)]);
}

/** Null for a streamed message, whose stream has the reason. A text that the CLI writes itself has no true one. */
function fromStopReason({ message: { id, model, stop_reason } }: AssistantMessage) {
  if (typeof stop_reason !== "string" || model === SYNTHETIC_MODEL) return [];
  return [{ type: "message_complete" as const, msg_id: id, stop_reason }];
}

function fromBlock(
  block: Exclude<AssistantBlock, { type: "other" }>,
  block_index: number,
  event: AssistantMessage,
): OutboundDraft {
  const msg_id = event.message.id;
  const key = { msg_id, block_index, status: "complete" } as const;
  const whole = {
    ...key,
    is_partial: false,
    ...(event.uuid !== undefined && { uuid: event.uuid }),
  };
  switch (block.type) {
    case "text":
      return fromText(block.text, whole, event);
    case "thinking":
      return { type: "thinking_text", ...whole, text: block.thinking };
    case "redacted_thinking":
      return { type: "thinking_text", ...whole, text: "", redacted: true };
    case "tool_use":
      return {
        type: "tool_use",
        ...key,
        tool_use_id: block.id,
        tool_name: block.name,
        input: block.input,
      };
    case "fallback": {
      // No `system` line reports this fallback.
      const models = { original_model: block.from.model, fallback_model: block.to.model };
      return { type: "model_fallback", ...models, msg_id };
    }
  }
}

type WholeBlock = {
  readonly msg_id: string;
  readonly block_index: number;
  readonly is_partial: boolean;
  readonly status: "complete";
};

function fromText(text: string, whole: WholeBlock, event: AssistantMessage): OutboundDraft {
  const isSynthetic = event.message.model === SYNTHETIC_MODEL;
  const isError = typeof event.error === "string";
  if (isSynthetic && !isError) {
    const { context_usage, usage_report } = event;
    const reports = definedFields({ context_usage, usage_report });
    return { ...commandOutput(text, isCommandError(event)), ...reports };
  }
  return {
    type: "assistant_text",
    ...whole,
    text,
    ...(isSynthetic && { synthetic: true }),
    ...(typeof event.error === "string" && { is_error: true, error: event.error }),
    ...(isError &&
      typeof event.api_error_type === "string" && { api_error_type: event.api_error_type }),
    ...(event["aborted"] === true && { aborted: true }),
  };
}

/** Newer CLIs use the tags of older ones to mark the outcome of a local command (§6). */
function isCommandError(event: AssistantMessage): boolean {
  const source = event["local_command_source"];
  return typeof source === "string" && source.startsWith("<local-command-stderr>");
}
