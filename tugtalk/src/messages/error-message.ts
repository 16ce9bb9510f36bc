/** The `error` message with its codes and reasons. */
import { z } from "zod";
import { flag, optionalText, outbound, text } from "./message-schemas.ts";

export const ErrorCode = z
  .enum([
    "bad_json",
    "bad_message",
    "bad_channel",
    "unknown_type",
    "not_initialized",
    "already_initialized",
    "unsupported_version",
    "unknown_request",
    "stale_request",
    "attachment_rejected",
    "message_rejected",
    "queue_full",
    "line_too_long",
    "claude_not_found",
    "claude_start_failed",
    "claude_exited",
    "claude_unresponsive",
    "resume_failed",
    "control_timeout",
    "control_rejected",
    "internal",
  ])
  .meta({
    id: "ErrorCode",
    description:
      "The kind of the error. A minor version of the wire may add a code; none is removed.",
  });
export type ErrorCode = z.infer<typeof ErrorCode>;

export const ErrorReason = z
  .enum([
    "not_logged_in",
    "no_such_session",
    "id_in_use",
    "bad_flag",
    "missing_directory",
    "wrong_libc",
    "old_version",
  ])
  .meta({
    id: "ErrorReason",
    description: "Why Claude did not start, as far as its output shows. No further one is added.",
  });
export type ErrorReason = z.infer<typeof ErrorReason>;

export const ErrorMessage = outbound("error", {
  code: ErrorCode,
  message: text.describe("The error in words, for a person."),
  recoverable: flag.describe("False: tugtalk, or this channel of it, ends. True: it goes on."),
  reason: ErrorReason.optional().describe(
    "For `claude_start_failed`, `resume_failed` and a few others. Absent if unknown.",
  ),
  source: z
    .enum(["host", "claude"])
    .optional()
    .describe("Who sent the line or answer that the error is about. Absent if neither."),
  request_id: optionalText.describe("The request of Claude's that the error is about, if any."),
  message_id: optionalText.describe("The user message that the error is about, if any."),
  of_channel: optionalText.describe(
    "The channel that the line names, in an error that belongs to no channel. Absent if it names none.",
  ),
}).describe("Something went wrong.");
export type ErrorMessage = z.infer<typeof ErrorMessage>;
