/** Messages to the host about turns, and receipts for its user messages. */
import { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import {
  described,
  flag,
  number,
  optionalFlag,
  optionalNumber,
  optionalText,
  outbound,
  text,
  texts,
} from "./message-schemas.ts";

export const MessageStatus = outbound("message_status", {
  message_id: text.describe("The message, by the id of the host or of tugtalk."),
  status: z
    .enum(["queued", "started", "completed", "cancelled", "rejected", "failed"])
    .describe(
      "`queued`: accepted. `started`: part of a turn. The others are final: `completed`: its turn ended. `cancelled`: withdrawn before it reached the model. `rejected`: not accepted; an `error` says why. `failed`: delivered, then Claude ended or did not start it; it is not sent again.",
    ),
  merged: optionalFlag.describe(
    "True: the message joined a turn that already had one. Absent otherwise.",
  ),
  reason: optionalText.describe(
    "Why it was cancelled: `withdrawn`, `replaced`, `interrupted`, `session_command`, `shutdown`, `stalled` or an error code.",
  ),
}).describe("The receipt of a `user_message`.");
export type MessageStatus = z.infer<typeof MessageStatus>;

const trigger = z
  .enum(["user", "task", "schedule", "unknown"])
  .describe(
    "The cause of the turn: `user` a message of the host, `task` the end of a background task, `schedule` a timer of Claude's. In `turn_started` as far as it is known; final at the end of the turn.",
  );
export type TurnTrigger = z.infer<typeof trigger>;

/** The context in `cost_update` and `message_complete`. */
export const ContextSize = z
  .object({
    model: optionalText.describe("The model of the call. Absent if it is unknown."),
    used_tokens: number.describe("The tokens of its input: read, cached and new."),
    window_tokens: optionalNumber.describe(
      "The most tokens that the model takes. Absent if Claude does not say.",
    ),
  })
  .meta({ id: "ContextSize", description: "How full the context was at the last model call." });

const turnId = text.describe("The turn. Set by tugtalk.");
const messageIds = texts.describe(
  "The messages of the host in the turn. In `turn_started` as far as they are known; final at the end of the turn.",
);

const TurnStarted = outbound("turn_started", {
  turn_id: turnId,
  message_ids: messageIds,
  trigger,
}).describe("A turn begins: an idle Claude got a message, or it started a turn by itself.");

const PermissionDenial = z
  .looseObject({
    tool_name: text.describe("The tool."),
    tool_use_id: text.describe("The tool call."),
  })
  .meta({
    id: "PermissionDenial",
    description: "A tool call that was refused, with Claude's further fields.",
  });

const TurnTimings = z
  .object(
    described(optionalNumber, {
      time_to_request_ms: "To the first request to the model.",
      ttft_stream_ms: "To the first event of its stream.",
      ttft_ms: "To its first token.",
      first_content_frame_ms: "To the first line of Claude with content. Since Claude 2.1.330.",
    }),
  )
  .meta({
    id: "TurnTimings",
    description: "Times from the start of a turn on, in ms, as Claude measures them.",
  });

export const SubagentStats = z
  .looseObject({
    spawned: optionalNumber.describe("How many were started."),
    completed: optionalNumber.describe("How many finished."),
    failed: optionalNumber.describe("How many failed."),
  })
  .meta({
    id: "SubagentStats",
    description:
      "The subagents of a turn, with Claude's further fields: `requested`, `killed`, `refused`, `by_type`, …",
  });

export type SubagentStats = z.infer<typeof SubagentStats>;

export const TurnComplete = outbound("turn_complete", {
  turn_id: turnId,
  result: z
    .enum(["success", "error", "cancelled"])
    .describe(
      "`cancelled` after an interrupt, or a denial with `interrupt`; `error` if `is_error`, or if `subtype` is not `success`.",
    ),
  subtype: text.describe(
    "Claude's: `success`, `error_during_execution`, `error_max_turns`, `error_max_budget_usd`, `error_max_structured_output_retries`.",
  ),
  is_error: flag.describe("Claude's. True for an API error, too, which has `success`."),
  errors: texts
    .optional()
    .describe(
      "The errors in words, without Claude's diagnostics markers. Absent if there is nothing.",
    ),
  api_error_status: optionalNumber.describe(
    "The HTTP status of a failed model call. Since Claude 2.1.197.",
  ),
  ...described(optionalText, {
    api_error_type:
      "The API's name for the error: `invalid_request_error`, … Absent if it gave none. Since Claude 2.1.330.",
    terminal_reason: "Claude's name for why the turn ended. Since Claude 2.1.197.",
    stop_reason: "Why the last answer of the model ended, by the Messages API.",
    text: "The last text of the turn. Absent if Claude gives none.",
  }),
  permission_denials: z.array(PermissionDenial).describe("The tool calls that were refused."),
  structured_output: z
    .unknown()
    .optional()
    .describe("The output for `options.json_schema`. Absent without one."),
  timings: TurnTimings.optional().describe(
    "Absent if Claude gives none, as for a turn without a model call. Since Claude 2.1.197.",
  ),
  subagent_stats: SubagentStats.optional().describe("Since Claude 2.1.330."),
  message_ids: messageIds,
  trigger,
  origin: jsonObject
    .optional()
    .describe("Claude's own description of the cause of the turn. Since Claude 2.1.197."),
}).describe("The end of a turn with a result of Claude.");
export type TurnComplete = z.infer<typeof TurnComplete>;

export const TurnCancelled = outbound("turn_cancelled", {
  turn_id: turnId,
  partial_result: text.describe(
    "The text of the message that was being written in the main conversation, at most 16 Mi characters. May be empty.",
  ),
  reason: z
    .enum(["exited", "session_command", "stalled", "line_lost", "shutdown", "rejected"])
    .describe(
      "`exited`: Claude ended. `stalled`: it did not end the turn in time. `line_lost`: its result was too long. `rejected`: it dropped the message. `session_command`, `shutdown`: the host wanted it.",
    ),
  message_ids: messageIds,
  trigger,
}).describe("The end of a turn without a result of Claude.");
export type TurnCancelled = z.infer<typeof TurnCancelled>;

export const TURN_MESSAGES = [MessageStatus, TurnStarted, TurnComplete, TurnCancelled] as const;
