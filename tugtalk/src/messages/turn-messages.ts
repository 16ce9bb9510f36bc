/** Messages to the host about turns, and receipts for its user messages. */
import { z } from "zod";
import { jsonObject } from "../base/json.ts";
import { outbound } from "./envelope.ts";

const text = z.string();
const number = z.number();

/** The receipt of a `user_message`; the last four states are final. */
export const MessageStatus = outbound("message_status", {
  message_id: text,
  status: z.enum(["queued", "started", "completed", "cancelled", "rejected", "failed"]),
  merged: z.boolean().optional(),
  reason: text.optional(),
});
export type MessageStatus = z.infer<typeof MessageStatus>;

const trigger = z.enum(["user", "task", "schedule", "unknown"]);
export type TurnTrigger = z.infer<typeof trigger>;

const TurnStarted = outbound("turn_started", {
  turn_id: text,
  message_ids: z.array(text),
  trigger,
});

/** The end of a turn with a `result` of Claude. */
export const TurnComplete = outbound("turn_complete", {
  turn_id: text,
  result: z.enum(["success", "error", "cancelled"]),
  subtype: text,
  is_error: z.boolean(),
  errors: z.array(text).optional(),
  api_error_status: number.optional(),
  terminal_reason: text.optional(),
  stop_reason: text.optional(),
  text: text.optional(),
  permission_denials: z.array(z.looseObject({ tool_name: text, tool_use_id: text })),
  structured_output: z.unknown().optional(),
  message_ids: z.array(text),
  trigger,
  origin: jsonObject.optional(),
});
export type TurnComplete = z.infer<typeof TurnComplete>;

/** The end of a turn without a `result`. */
export const TurnCancelled = outbound("turn_cancelled", {
  turn_id: text,
  /** The text of the open message of the main conversation. */
  partial_result: text,
  reason: z.enum(["exited", "session_command", "stalled", "line_lost", "shutdown", "rejected"]),
  message_ids: z.array(text),
  trigger,
});
export type TurnCancelled = z.infer<typeof TurnCancelled>;

export const TURN_MESSAGES = [MessageStatus, TurnStarted, TurnComplete, TurnCancelled] as const;
