/**
 * First tier: what one line of Claude's means to the host and to the session. Pure: it is told what
 * it must know about the turn, and does nothing itself. Deltas are the second tier's
 * (`stream-events.ts`). Protocol reference §3; D03, D04.
 */

import type {
  AssistantBlock,
  AssistantMessage,
  StreamEvent,
  UserMessage,
} from "../messages/conversation-lines.ts";
import { withoutReserved } from "../messages/envelope.ts";
import type {
  ClaudeMessage,
  CompactBoundaryMessage,
  ControlRequest,
  SystemInitMessage,
} from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";
import { fromOtherBlocks } from "./other-blocks.ts";
import { fromResult, type Spending, type TurnView } from "./results.ts";
import {
  commandOutput,
  fromToolResult,
  fromToolUseResult,
  fromUserText,
  toolResults,
} from "./tool-results.ts";

/** What one line means. `messages` are for the host, the rest is for the session. */
export type TopLevelRoutingResult = {
  readonly messages: readonly OutboundDraft[];
  /** The turn is over. */
  readonly gotResult: boolean;
  readonly sessionId?: string;
  readonly streamEvent?: StreamEvent;
  readonly controlRequest?: ControlRequest;
  readonly parentToolUseId?: string;
};

/** What the session knows and a line does not say. */
export type RoutingContext = {
  readonly turn?: TurnView | undefined;
  readonly spending?: Spending | undefined;
};

const nothing = { messages: [], gotResult: false } as const;

/** Says what one line of Claude's means. */
export function routeTopLevelEvent(
  event: ClaudeMessage,
  scene: RoutingContext = {},
): TopLevelRoutingResult {
  switch (event.type) {
    case "system":
      return event.subtype === "init"
        ? { ...nothing, messages: [fromInit(event)], sessionId: event.session_id }
        : {
            ...nothing,
            messages: event.subtype === "compact_boundary" ? [fromBoundary(event)] : [],
          };
    case "assistant":
      return { ...nothing, ...parentToolUseIdOf(event), messages: fromAssistant(event) };
    case "user":
      return { ...nothing, ...parentToolUseIdOf(event), messages: fromUser(event) };
    case "result":
      return { messages: fromResult(event, scene.turn, scene.spending), gotResult: true };
    case "stream_event":
      return { ...nothing, ...parentToolUseIdOf(event), streamEvent: event.event };
    case "control_request":
      return { ...nothing, controlRequest: event };
    case "notification":
      return { ...nothing, messages: [event.message] };
    case "unknown":
      return { ...nothing, messages: [{ ...event, type: "unknown_event" }] };
    case "control_response":
    case "control_cancel_request":
    case "keep_alive":
    case "transcript_mirror":
      return nothing;
  }
}

function parentFields({
  parent_tool_use_id: parent,
}: {
  readonly parent_tool_use_id?: string | null | undefined;
}): { readonly parent_tool_use_id?: string } {
  return typeof parent === "string" ? { parent_tool_use_id: parent } : {};
}

function parentToolUseIdOf(event: { readonly parent_tool_use_id?: string | null | undefined }) {
  const { parent_tool_use_id: parent } = event;
  return typeof parent === "string" ? { parentToolUseId: parent } : {};
}

function fromInit({
  type: _type,
  subtype: _subtype,
  uuid: _uuid,
  ...fields
}: SystemInitMessage): OutboundDraft {
  return { ...withoutReserved(fields), type: "system_metadata" };
}

function fromBoundary({ compact_metadata }: CompactBoundaryMessage): OutboundDraft {
  return { ...withoutReserved(compact_metadata ?? {}), type: "compact_boundary" };
}

// -------------------------------------------------------------------------------------- assistant

/** The CLI's own words: an error of the API, or the output of a local command. */
const SYNTHETIC_MODEL = "<synthetic>";

function fromAssistant(event: AssistantMessage): OutboundDraft[] {
  const parent = parentFields(event);
  const blocks = event.message.content.flatMap((block, blockIndex) =>
    block.type === "other" ? [] : [fromAssistantBlock(block, blockIndex, event)],
  );
  return [...blocks, ...fromOtherBlocks(event)].map((message) => ({
    ...message,
    ...parent,
  }));
}

function fromAssistantBlock(
  block: Exclude<AssistantBlock, { type: "other" }>,
  blockIndex: number,
  event: AssistantMessage,
): OutboundDraft {
  const whole = {
    msg_id: event.message.id,
    block_index: blockIndex,
    is_partial: false,
    status: "complete" as const,
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
      return fromToolUse(block, whole);
    case "fallback":
      return fromFallback(block, event.message.id);
  }
}

/** A line of `system` that says so does not come along with the block. */
function fromFallback(
  { from, to }: Extract<AssistantBlock, { type: "fallback" }>,
  msg_id: string,
): OutboundDraft {
  const models = { original_model: from.model, fallback_model: to.model };
  return { type: "model_fallback", ...models, msg_id };
}

type Whole = { readonly msg_id: string; readonly block_index: number };

function fromToolUse(
  block: Extract<AssistantBlock, { type: "tool_use" }>,
  { msg_id, block_index }: Whole,
): OutboundDraft {
  return {
    type: "tool_use",
    msg_id,
    block_index,
    tool_use_id: block.id,
    tool_name: block.name,
    input: block.input,
    status: "complete",
  };
}

function fromText(
  text: string,
  whole: Whole & { is_partial: boolean; status: "complete" },
  event: AssistantMessage,
): OutboundDraft {
  const isSynthetic = event.message.model === SYNTHETIC_MODEL;
  const isError = typeof event.error === "string";
  if (isSynthetic && !isError) {
    return { ...commandOutput(text, isCommandError(event)), ...reportsOf(event) };
  }
  return {
    type: "assistant_text",
    ...whole,
    text,
    ...(isSynthetic && { synthetic: true }),
    ...(typeof event.error === "string" && { is_error: true, error: event.error }),
    ...(event["aborted"] === true && { aborted: true }),
  };
}

/** The data behind the words of some commands (V330). */
function reportsOf({ context_usage, usage_report }: AssistantMessage) {
  return {
    ...(context_usage !== undefined && { context_usage }),
    ...(usage_report !== undefined && { usage_report }),
  };
}

/** Newer CLIs say with the tags of the older ones how a local command went (§6). */
function isCommandError(event: AssistantMessage): boolean {
  const tagged = event["local_command_source"];
  return typeof tagged === "string" && tagged.startsWith("<local-command-stderr>");
}

// ------------------------------------------------------------------------------------------- user

/** An echo of what the host said confirms it and says nothing new; a local command's output does. */
function fromUser(event: UserMessage): OutboundDraft[] {
  const parent = parentFields(event);
  const spoken = fromUserText(event).filter(
    (message) =>
      event.isReplay !== true ||
      (message.type === "user_text" && message.kind === "command_output"),
  );
  const messages = [
    ...spoken,
    ...toolResults(event).map(fromToolResult),
    ...fromToolUseResult(event),
    ...(event.isReplay === true ? [] : fromOtherBlocks(event)),
  ];
  return messages.map((message) => ({ ...message, ...parent }));
}
