/** The messages between host and tugtalk: all that a host sends (inbound) and gets (outbound). Contract: PROTOCOL.md. */
import { z } from "zod";
import { jsonObject, jsonRecord } from "./base/json.ts";
import { CONTENT_MESSAGES } from "./messages/content-messages.ts";
import { ControlMessage, ControlResult } from "./messages/control-messages.ts";
import { Usage } from "./messages/conversation-lines.ts";
import {
  inbound,
  looseOutbound,
  outbound,
  refuseNul,
  SessionId,
  type Unstamped,
} from "./messages/envelope.ts";
import { ErrorMessage } from "./messages/errors.ts";
import {
  SessionHistory,
  SessionHistoryResult,
  SessionList,
  SessionListResult,
} from "./messages/history-messages.ts";
import { NotificationMessage } from "./messages/notifications.ts";
import { DialogAnswer, ElicitationAnswer, PROMPT_MESSAGES } from "./messages/prompt-messages.ts";
import { ModelName, PermissionMode, ProtocolAck, ProtocolInit } from "./messages/protocol-init.ts";
import { SESSION_MESSAGES } from "./messages/session-messages.ts";
import { TURN_MESSAGES } from "./messages/turn-messages.ts";
import { ModelUsage, PermissionSuggestion } from "./protocol-types.ts";

const text = z.string();
const number = z.number();
/** In lower case, as the session ids. */
const uuid = z.uuid().toLowerCase();

/** An attached file: an image in base64, or a plain text. */
export const Attachment = z.object({ filename: text, content: text, media_type: text });
export type Attachment = z.infer<typeof Attachment>;

/**
 * A prompt. `queue` waits until no turn is open. `steer` is delivered at once, and Claude uses it in the
 * running turn or after it. `replace` is `queue`, and replaces the last message sent with `replace`.
 */
export const UserMessageInput = inbound("user_message", {
  text,
  attachments: z.array(Attachment).optional(),
  message_id: uuid.optional(),
  delivery: z.enum(["queue", "steer", "replace"]).optional(),
});
export type UserMessageInput = z.infer<typeof UserMessageInput>;

/** Cancels a user message that has not started. */
export const CancelMessage = inbound("cancel_message", { message_id: uuid });
export type CancelMessage = z.infer<typeof CancelMessage>;

/** The answer to a permission prompt. */
export const ToolApproval = inbound("tool_approval", {
  request_id: text,
  decision: z.enum(["allow", "deny"]),
  updatedInput: jsonObject.optional(),
  updatedPermissions: z.array(PermissionSuggestion).superRefine(refuseNul).optional(),
  message: text.optional(),
  interrupt: z.boolean().optional(),
});
export type ToolApproval = z.infer<typeof ToolApproval>;

/** The answers to an AskUserQuestion prompt, by the full text of each question. */
export const QuestionAnswer = inbound("question_answer", {
  request_id: text,
  answers: jsonRecord(z.union([text, z.array(text)])),
  annotations: jsonObject.optional(),
  response: text.optional(),
});
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

/** Ends the open turn; with `include_background` also background work between turns. */
export const Interrupt = inbound("interrupt", {
  cancel_queued: z.boolean().optional(),
  include_background: z.boolean().optional(),
});
export type Interrupt = z.infer<typeof Interrupt>;

export const PermissionModeMessage = inbound("permission_mode", { mode: PermissionMode });
export type PermissionModeMessage = z.infer<typeof PermissionModeMessage>;

/** Null selects Claude's default model. */
export const ModelChange = inbound("model_change", { model: ModelName.nullable() });
export type ModelChange = z.infer<typeof ModelChange>;

/** Switches to another conversation. */
export const SessionCommand = inbound("session_command", {
  command: z.enum(["new", "continue", "fork", "resume"]),
  session_id: SessionId.optional(),
  at_message: uuid.optional(),
}).refine(({ command, at_message }) => command !== "new" || at_message === undefined, {
  path: ["at_message"],
  message: "a new conversation has no messages",
});
export type SessionCommand = z.infer<typeof SessionCommand>;

export const StopTask = inbound("stop_task", { task_id: text.min(1) });
export type StopTask = z.infer<typeof StopTask>;

/** Ends tugtalk like the end of stdin; with `drain` after running and queued work is done. */
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

/** Whether a value is a valid host message. */
export function isInboundMessage(value: unknown): value is InboundMessage {
  return InboundMessage.safeParse(value).success;
}

export function isModelChange(message: InboundMessage): message is ModelChange {
  return message.type === "model_change";
}

export function isSessionCommand(message: InboundMessage): message is SessionCommand {
  return message.type === "session_command";
}

export function isToolApproval(message: InboundMessage): message is ToolApproval {
  return message.type === "tool_approval";
}

/** Costs and tokens; precedes each `turn_complete`. */
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

/** A line of a kind that tugtalk does not know. */
export const UnknownEvent = outbound("unknown_event", {
  original_type: text,
  original_subtype: text.optional(),
  raw: z.unknown(),
});

const OWN_MESSAGES = [
  ProtocolAck,
  ...SESSION_MESSAGES,
  ...TURN_MESSAGES,
  ...CONTENT_MESSAGES,
  ...PROMPT_MESSAGES,
  ControlResult,
  CostUpdate,
  CompactBoundary,
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

/** An outbound message before the writer adds `ipc_version` and `seq`. */
export type OutboundDraft = Unstamped<OutboundMessage>;
