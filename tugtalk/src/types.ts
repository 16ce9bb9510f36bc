/** The messages between host and tugtalk: all that a host sends (inbound) and gets (outbound). Contract: PROTOCOL.md and protocol/. */
import { z } from "zod";
import { jsonObject, jsonRecord } from "./base/json-schemas.ts";
import { CONTENT_MESSAGES } from "./messages/content-messages.ts";
import { ControlMessage, ControlResult } from "./messages/control-messages.ts";
import { Usage } from "./messages/conversation-lines.ts";
import type { Unstamped } from "./messages/envelope.ts";
import { ErrorMessage } from "./messages/error-message.ts";
import {
  SessionHistory,
  SessionHistoryResult,
  SessionList,
  SessionListResult,
} from "./messages/history-messages.ts";
import { HookAnswer, HookRequest } from "./messages/hook-messages.ts";
import { HostToolAnswer, HostToolRequest, HostTools } from "./messages/host-tool-messages.ts";
import {
  inbound,
  NUL_FREE,
  nulFreeText,
  optionalFlag,
  optionalNumber,
  optionalText,
  outbound,
  refuseNul,
  text,
  texts,
  uuid,
} from "./messages/message-schemas.ts";
import { NotificationMessage } from "./messages/notifications.ts";
import { DialogAnswer, ElicitationAnswer, PROMPT_MESSAGES } from "./messages/prompt-messages.ts";
import { PermissionMode, ProtocolAck, ProtocolInit } from "./messages/protocol-init.ts";
import { SESSION_MESSAGES } from "./messages/session-messages.ts";
import {
  TranscriptFailed,
  TranscriptLines,
  TranscriptRestore,
  TranscriptRestoreResult,
} from "./messages/transcript-messages.ts";
import { ContextSize, TURN_MESSAGES } from "./messages/turn-messages.ts";
import { CancelMessage, UserMessageInput } from "./messages/user-messages.ts";
import { ModelUsage, PermissionSuggestion } from "./protocol-types.ts";

const requestId = text.describe("The `request_id` of the prompt.");

export const ToolApproval = inbound("tool_approval", {
  request_id: requestId,
  decision: z
    .enum(["allow", "deny"])
    .describe("For a question only `deny` is valid; `question_answer` answers it."),
  updatedInput: jsonObject
    .optional()
    .describe("For `allow`: the input to run with. Absent or empty: the original input."),
  updatedPermissions: z
    .array(PermissionSuggestion)
    .superRefine(refuseNul)
    .meta(NUL_FREE)
    .optional()
    .describe(
      'For `allow`: rules to remember ("always allow"). Entries of `permission_suggestions` of the prompt, sent back unchanged, or changes of the same kinds.',
    ),
  message: optionalText.describe(
    "For `deny`: a text for the model. Absent: Claude's own text, which makes the model stop and wait.",
  ),
  interrupt: optionalFlag.describe("For `deny`: true ends the turn, too."),
}).describe(
  "The answer to a permission prompt (`control_request_forward`), or the refusal of a question. Answered by `control_request_resolved`, or by `error`.",
);
export type ToolApproval = z.infer<typeof ToolApproval>;

export const QuestionAnswer = inbound("question_answer", {
  request_id: requestId,
  answers: jsonRecord(z.union([text, texts])).describe(
    "By the full text of a question: a label, a free text, or for a multi-select question an array of labels.",
  ),
  annotations: jsonObject
    .optional()
    .describe("Claude's `annotations` by question. Claude 2.1.38 drops it."),
  response: optionalText.describe(
    "One answer instead of those to the questions. Claude 2.1.38 drops it.",
  ),
}).describe(
  "The answers to a `control_request_forward` whose `is_question` is true. Answered by `control_request_resolved`, or by `error`, and then the prompt stays open.",
);
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

export const Interrupt = inbound("interrupt", {
  cancel_queued: optionalFlag.describe(
    "True withdraws the queued messages too, and those that Claude has not started (since Claude 2.1.330).",
  ),
  include_background: optionalFlag.describe(
    "True between turns: stops the background agents of Claude. Since Claude 2.1.197.",
  ),
}).describe(
  "Ends the open turn. Answered by `control_result`; between turns without `include_background` it does nothing.",
);
export type Interrupt = z.infer<typeof Interrupt>;

export const PermissionModeMessage = inbound("permission_mode", {
  mode: PermissionMode.describe(
    "The mode. One that this CLI is known to lack is refused as `unsupported`.",
  ),
}).describe(
  "Changes the permission mode. Answered by `control_result`; if accepted, `permission_mode_changed` follows.",
);
export type PermissionModeMessage = z.infer<typeof PermissionModeMessage>;

export const ModelChange = inbound("model_change", {
  model: nulFreeText
    .nullable()
    .describe("Claude's name or alias of a model. Null: Claude's default model."),
}).describe(
  "Changes the model from Claude's next request (since Claude 2.1.330) or turn. Answered by `control_result`; if accepted, `model_changed` follows.",
);
export type ModelChange = z.infer<typeof ModelChange>;

export const SessionCommand = inbound("session_command", {
  command: z
    .enum(["new", "continue", "fork", "resume"])
    .describe(
      "As `session.mode` of `protocol_init`. `fork` without an id copies the current conversation.",
    ),
  session_id: uuid
    .optional()
    .describe(
      "For `new` the id to use, for `fork` and `resume` the source. Absent for `resume`: the last conversation of a bridge in this folder.",
    ),
  at_message: uuid
    .optional()
    .describe(
      "Where the conversation continues: before the message of the host with this `message_id`, or after any other line with this `uuid`. Not for `new`.",
    ),
})
  .refine(({ command, at_message }) => command !== "new" || at_message === undefined, {
    path: ["at_message"],
    message: "a new conversation has no messages",
  })
  .meta({
    description:
      "Leaves the current conversation for another one. Answered by `control_result`; then the open turn ends, and Claude is started anew.",
    not: { properties: { command: { const: "new" } }, required: ["at_message"] },
  });
export type SessionCommand = z.infer<typeof SessionCommand>;

export const StopTask = inbound("stop_task", {
  task_id: text.min(1).describe("The `task_id` of `task_started` or `background_tasks`."),
}).describe("Stops a task in the background. Answered by `control_result`. Since Claude 2.1.197.");
export type StopTask = z.infer<typeof StopTask>;

export const Shutdown = inbound("shutdown", {
  drain: optionalFlag.describe("True finishes the open turn and the queue first. Default: false."),
}).describe("Ends tugtalk, like the end of its stdin.");
export type Shutdown = z.infer<typeof Shutdown>;

export const InboundMessage = z
  .discriminatedUnion("type", [
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
    HostTools,
    HostToolAnswer,
    HookAnswer,
    SessionList,
    SessionHistory,
    TranscriptRestore,
    Shutdown,
  ])
  .meta({
    id: "InboundMessage",
    description:
      "Every message that a host may send. Unknown fields are ignored, except in `options`.",
  });
export type InboundMessage = z.infer<typeof InboundMessage>;

export const CostUpdate = outbound("cost_update", {
  total_cost_usd: optionalNumber.describe(
    "US dollars since Claude's process started; since Claude 2.1.330 with the earlier costs of a resumed conversation.",
  ),
  modelUsage: z
    .record(text, ModelUsage)
    .optional()
    .describe("Tokens and costs by the full id of a model, over the time of `total_cost_usd`."),
  duration_api_ms: optionalNumber.describe(
    "The time of model calls in ms, over the time of `total_cost_usd`.",
  ),
  usage: Usage.optional().describe("Tokens of this turn, of the main conversation only."),
  num_turns: optionalNumber.describe("The number of model calls in this turn."),
  duration_ms: optionalNumber.describe("The time of this turn, in ms."),
  turn_cost_usd: optionalNumber.describe(
    "US dollars since the previous result of this session. Absent where the total before is not known, as after a resume before Claude 2.1.330.",
  ),
  context: ContextSize.optional().describe("Absent if the turn had no model call."),
}).describe("Costs and tokens. Comes right before each `turn_complete`, with its `turn_id`.");
export type CostUpdate = z.infer<typeof CostUpdate>;

export const UnknownEvent = outbound("unknown_event", {
  original_type: text.describe(
    "Claude's `type`; `invalid_line` for a line that is not a JSON object with a type.",
  ),
  original_subtype: optionalText.describe(
    "Claude's `subtype`, or the kind of the block. Absent if there is none.",
  ),
  raw: z
    .unknown()
    .describe("The line or the block, unchanged; as a text if it is nested too deep."),
}).describe("A line or a block of Claude of a kind that tugtalk does not know.");

const OWN_MESSAGES = [
  ProtocolAck,
  ...SESSION_MESSAGES,
  ...TURN_MESSAGES,
  ...CONTENT_MESSAGES,
  ...PROMPT_MESSAGES,
  HostToolRequest,
  HookRequest,
  ControlResult,
  CostUpdate,
  SessionListResult,
  SessionHistoryResult,
  TranscriptLines,
  TranscriptFailed,
  TranscriptRestoreResult,
  UnknownEvent,
  ErrorMessage,
] as const;

export const OutboundMessage = z
  .union([z.discriminatedUnion("type", OWN_MESSAGES), NotificationMessage])
  .meta({
    id: "OutboundMessage",
    description:
      "Every message that a host may get. A host ignores types and fields that it does not know.",
  });
export type OutboundMessage = z.infer<typeof OutboundMessage>;

/** An outbound message before the writer adds `ipc_version` and `seq`. */
export type OutboundDraft = Unstamped<OutboundMessage>;
