/**
 * The host's vocabulary: a schema for each message that a host sends (inbound) and for each that it
 * gets (outbound). Messages that merely pass on Claude's own fields are in `news.ts`.
 * Contract: PROTOCOL.md.
 */
import { z } from "zod";
import { jsonObject, jsonRecord } from "./base/json.ts";
import { CONTROL_SUBTYPES, whyNotSent } from "./messages/control-subtypes.ts";
import {
  DialogAnswer,
  DialogRequest,
  ElicitationAnswer,
  ElicitationRequest,
} from "./messages/elicitation-messages.ts";
import {
  inbound,
  looseOutbound,
  outbound,
  refuseNul,
  SessionId,
  type Unstamped,
} from "./messages/envelope.ts";
import { ErrorCode, ErrorReason } from "./messages/errors.ts";
import {
  SessionHistory,
  SessionHistoryResult,
  SessionList,
  SessionListResult,
} from "./messages/history-messages.ts";
import { NotificationMessage } from "./messages/notifications.ts";
import { SessionOptions } from "./messages/options.ts";
import {
  ModelChanged,
  PermissionModeChanged,
  ProcessExit,
  ProcessStarted,
  SessionCapabilities,
  SessionInit,
  SessionStateChanged,
} from "./messages/session-messages.ts";
import {
  MessageStatus,
  TurnCancelled,
  TurnComplete,
  TurnStarted,
} from "./messages/turn-messages.ts";
import { ModelUsage, PermissionSuggestion, Usage } from "./protocol-types.ts";

const text = z.string();
const number = z.number();
const uuid = z.uuid();

// ---------------------------------------------------------------------------------------- inbound

/** Every permission mode that some CLI knows; `delegate` is for old ones. */
export const PermissionMode = z.enum([
  "default",
  "acceptEdits",
  "bypassPermissions",
  "plan",
  "dontAsk",
  "delegate",
  "auto",
  "manual",
]);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Means nothing for a new conversation. Refused rather than ignored, since ignoring it would mislead. */
const nowhere = z.undefined().optional();

/** Where a conversation is taken up: before one of the host's messages, or after any other line. */
const place = uuid.optional();

/**
 * Which conversation to begin with. `continue`, and `fork` without an id, take the newest one of the
 * folder; `resume` without an id the one that a bridge was in last.
 */
export const SessionChoice = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("new"), session_id: SessionId.optional(), at_message: nowhere }),
  z.object({ mode: z.literal("resume"), session_id: SessionId.optional(), at_message: place }),
  z.object({ mode: z.literal("continue"), at_message: place }),
  z.object({ mode: z.literal("fork"), session_id: SessionId.optional(), at_message: place }),
]);
export type SessionChoice = z.infer<typeof SessionChoice>;

/** The name of a model, which is an argument of Claude. */
const model = text.min(1).superRefine(refuseNul);

/** The first message: opens the wire and chooses the session. */
export const ProtocolInit = inbound("protocol_init", {
  version: z.number().int(),
  session: SessionChoice.optional(),
  model: model.optional(),
  permission_mode: PermissionMode.optional(),
  options: SessionOptions.superRefine(refuseNul).optional(),
});
export type ProtocolInit = z.infer<typeof ProtocolInit>;

/** A file sent along with a message: an image as base64, a text as it is. */
export const Attachment = z.object({ filename: text, content: text, media_type: text });
export type Attachment = z.infer<typeof Attachment>;

/**
 * What a person says. `queue` is held until no turn is open; `steer` is handed over at once, for Claude
 * to take up in the running turn or after it; `replace` is `queue` in place of the last one like it.
 */
export const UserMessageInput = inbound("user_message", {
  text,
  attachments: z.array(Attachment).optional(),
  message_id: uuid.optional(),
  delivery: z.enum(["queue", "steer", "replace"]).optional(),
});
export type UserMessageInput = z.infer<typeof UserMessageInput>;

/** Takes a message back that has not begun. */
export const CancelMessage = inbound("cancel_message", { message_id: uuid });
export type CancelMessage = z.infer<typeof CancelMessage>;

/** Any control request on the allow-list, with its arguments as further fields. */
export const ControlMessage = inbound("control", { subtype: text })
  .loose()
  .superRefine((message, context) => {
    const known = Object.hasOwn(CONTROL_SUBTYPES, message.subtype)
      ? CONTROL_SUBTYPES[message.subtype]
      : undefined;
    if (known === undefined)
      context.addIssue({ code: "custom", message: whyNotSent(message.subtype) });
    for (const { path, message: words } of known?.fields.safeParse(message).error?.issues ?? [])
      context.addIssue({ code: "custom", path: [...path], message: words });
  });
export type ControlMessage = z.infer<typeof ControlMessage>;

/** A person's answer to a permission prompt. */
export const ToolApproval = inbound("tool_approval", {
  request_id: text,
  decision: z.enum(["allow", "deny"]),
  updatedInput: jsonObject.optional(),
  updatedPermissions: z.array(PermissionSuggestion).superRefine(refuseNul).optional(),
  message: text.optional(),
  interrupt: z.boolean().optional(),
});
export type ToolApproval = z.infer<typeof ToolApproval>;

/** A person's answers to an AskUserQuestion prompt, by the full text of each question. */
export const QuestionAnswer = inbound("question_answer", {
  request_id: text,
  answers: jsonRecord(z.union([text, z.array(text)])),
  annotations: jsonObject.optional(),
  response: text.optional(),
});
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

/** Ends the open turn; between turns, with `include_background`, what runs in the background. */
export const Interrupt = inbound("interrupt", {
  cancel_queued: z.boolean().optional(),
  include_background: z.boolean().optional(),
});
export type Interrupt = z.infer<typeof Interrupt>;

export const PermissionModeMessage = inbound("permission_mode", { mode: PermissionMode });
export type PermissionModeMessage = z.infer<typeof PermissionModeMessage>;

/** Null is Claude's default model. */
export const ModelChange = inbound("model_change", { model: model.nullable() });
export type ModelChange = z.infer<typeof ModelChange>;

/** Leaves the conversation in hand for another one. */
export const SessionCommand = inbound("session_command", {
  command: z.enum(["new", "continue", "fork", "resume"]),
  session_id: SessionId.optional(),
  at_message: place,
}).refine(({ command, at_message }) => command !== "new" || at_message === undefined, {
  path: ["at_message"],
  message: "a new conversation has no messages",
});
export type SessionCommand = z.infer<typeof SessionCommand>;

export const StopTask = inbound("stop_task", { task_id: text.min(1) });
export type StopTask = z.infer<typeof StopTask>;

/** Ends tugtalk like closing its stdin; with `drain` it first finishes what runs and waits. */
export const Shutdown = inbound("shutdown", { drain: z.boolean().optional() });
export type Shutdown = z.infer<typeof Shutdown>;

/** Every message that a host may send. */
export const InboundMessage = z.discriminatedUnion("type", [
  ProtocolInit,
  UserMessageInput,
  ToolApproval,
  QuestionAnswer,
  Interrupt,
  PermissionModeMessage,
  ModelChange,
  SessionCommand,
  StopTask,
  CancelMessage,
  ControlMessage,
  ElicitationAnswer,
  DialogAnswer,
  SessionList,
  SessionHistory,
  Shutdown,
]);
export type InboundMessage = z.infer<typeof InboundMessage>;

/** The `type` of every message that a host may send. */
export const INBOUND_TYPES: ReadonlySet<string> = new Set(
  InboundMessage.options.map((schema) => schema.shape.type.value),
);

/** Tells whether a value is a host message of a known type and the right shape. */
export function isInboundMessage(value: unknown): value is InboundMessage {
  return InboundMessage.safeParse(value).success;
}

/** Narrows a host message to a change of the model. */
export function isModelChange(message: InboundMessage): message is ModelChange {
  return message.type === "model_change";
}

/** Narrows a host message to a change of the session. */
export function isSessionCommand(message: InboundMessage): message is SessionCommand {
  return message.type === "session_command";
}

/** Narrows a host message to the answer to a permission prompt. */
export function isToolApproval(message: InboundMessage): message is ToolApproval {
  return message.type === "tool_approval";
}

// --------------------------------------------------------------------------------------- outbound

/** Answers `protocol_init`, before Claude is up. */
export const ProtocolAck = outbound("protocol_ack", {
  version: z.literal(2),
  /** Names this process: `(instance_id, seq)` is unique for ever. */
  instance_id: uuid,
  tugtalk_version: text,
  session_id: text.optional(),
  /** What this tugtalk can do beyond the contract's core: the host messages that it takes. */
  capabilities: z.object({ inbound: z.array(text) }),
});

/** Every field of `system/init`; the newest is in force. */
export const SystemMetadata = looseOutbound("system_metadata", {
  session_id: text,
  cwd: text.optional(),
  tools: z.array(text).optional(),
  model: text.optional(),
  permissionMode: text.optional(),
  slash_commands: z.array(text).optional(),
  claude_code_version: text.optional(),
});
export type SystemMetadata = z.infer<typeof SystemMetadata>;

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

const block = { msg_id: text, block_index: z.number().int().nonnegative() };
const writing = {
  ...block,
  /** One delta while partial, the whole text when complete, absent when abandoned. */
  text: text.optional(),
  is_partial: z.boolean(),
  status: z.enum(["partial", "complete", "abandoned"]),
  uuid: text.optional(),
};

export const AssistantText = outbound("assistant_text", {
  ...writing,
  /** Written by the CLI itself, not by a model. */
  synthetic: z.boolean().optional(),
  is_error: z.boolean().optional(),
  /** Claude's name for the error: `rate_limit`, `authentication_failed`, … */
  error: text.optional(),
  /** Cut short by an interrupt: the whole of what there is. */
  aborted: z.boolean().optional(),
});
export type AssistantText = z.infer<typeof AssistantText>;

export const ThinkingText = outbound("thinking_text", {
  ...writing,
  /** The API keeps this thought to itself. */
  redacted: z.boolean().optional(),
});
export type ThinkingText = z.infer<typeof ThinkingText>;

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

export const ToolUseStructured = outbound("tool_use_structured", {
  tool_use_id: text,
  tool_name: text.optional(),
  /** Claude's `tool_use_result`: an object, an array or, for failures, a string. */
  structured_result: z.unknown(),
});
export type ToolUseStructured = z.infer<typeof ToolUseStructured>;

/** A person is asked; every further field is Claude's. */
export const ControlRequestForward = looseOutbound("control_request_forward", {
  request_id: text,
  tool_name: text,
  input: jsonObject,
  tool_use_id: text.optional(),
  is_question: z.boolean(),
  permission_suggestions: z.array(z.looseObject({ type: text })).nullish(),
});
export type ControlRequestForward = z.infer<typeof ControlRequestForward>;

export const ControlRequestResolved = outbound("control_request_resolved", {
  request_id: text,
  outcome: z.enum(["allow", "deny", "answered"]),
});

export const ControlRequestCancel = outbound("control_request_cancel", {
  request_id: text,
  reason: z.enum(["withdrawn", "interrupted", "timeout", "exited"]),
});
export type ControlRequestCancel = z.infer<typeof ControlRequestCancel>;

/** The one answer to a request of the host's that Claude had to accept. */
export const ControlResult = outbound("control_result", {
  subtype: text,
  ok: z.boolean(),
  response: jsonObject.optional(),
  error: text.optional(),
  still_queued: z.array(text).optional(),
  cancelled: z.array(text).optional(),
});
export type ControlResult = z.infer<typeof ControlResult>;

/** What was spent; comes before each `turn_complete`. */
export const CostUpdate = outbound("cost_update", {
  /** US dollars since Claude's process started. */
  total_cost_usd: number.optional(),
  modelUsage: z.record(z.string(), ModelUsage).optional(),
  duration_api_ms: number.optional(),
  /** The main conversation of this turn only. */
  usage: Usage.optional(),
  num_turns: number.optional(),
  duration_ms: number.optional(),
  /** US dollars since the previous result of this session. */
  turn_cost_usd: number.optional(),
  context: z
    .object({ model: text.optional(), used_tokens: number, window_tokens: number.optional() })
    .optional(),
});
export type CostUpdate = z.infer<typeof CostUpdate>;

export const CompactBoundary = looseOutbound("compact_boundary", {
  trigger: text.optional(),
  pre_tokens: number.optional(),
  post_tokens: number.optional(),
});
export type CompactBoundary = z.infer<typeof CompactBoundary>;

/** A line of a kind that tugtalk does not know, whole. */
export const UnknownEvent = outbound("unknown_event", {
  original_type: text,
  original_subtype: text.optional(),
  raw: z.unknown(),
});

export const ErrorMessage = outbound("error", {
  code: ErrorCode,
  message: text,
  recoverable: z.boolean(),
  reason: ErrorReason.optional(),
  /** Whose line or answer it was about. */
  source: z.enum(["host", "claude"]).optional(),
  request_id: text.optional(),
  message_id: text.optional(),
});
export type ErrorMessage = z.infer<typeof ErrorMessage>;

const OWN_MESSAGES = [
  ProtocolAck,
  ProcessStarted,
  ProcessExit,
  SessionInit,
  SessionCapabilities,
  SystemMetadata,
  SessionStateChanged,
  PermissionModeChanged,
  ModelChanged,
  MessageStatus,
  UserText,
  TurnStarted,
  AssistantText,
  ThinkingText,
  MessageRetracted,
  ToolUse,
  ToolInputDelta,
  ToolResult,
  ToolUseStructured,
  ControlRequestForward,
  ElicitationRequest,
  DialogRequest,
  ControlRequestResolved,
  ControlRequestCancel,
  ControlResult,
  CostUpdate,
  CompactBoundary,
  TurnComplete,
  TurnCancelled,
  SessionListResult,
  SessionHistoryResult,
  UnknownEvent,
  ErrorMessage,
] as const;

/** Every message that a host may get. */
export const OutboundMessage = z.union([
  z.discriminatedUnion("type", OWN_MESSAGES),
  NotificationMessage,
]);
export type OutboundMessage = z.infer<typeof OutboundMessage>;

/** A message on its way out, before the writer stamps it. */
export type OutboundDraft = Unstamped<OutboundMessage>;
