/** Requests for past conversations, and their results. */
import { z } from "zod";
import {
  count,
  inbound,
  nulFreeText,
  number,
  optionalFlag,
  optionalText,
  outbound,
  text,
  texts,
  uuid,
} from "./message-schemas.ts";

/** The default and the largest number of items on one page. */
export const PAGE_SIZES = {
  sessions: { default: 50, max: 500 },
  turns: { default: 20, max: 500 },
} as const;

/** The end of a page of sessions: the modification time of its last session in ms since 1970, and its id. */
export const SESSION_CURSOR = /^(\d{1,16})_([0-9a-f-]{36})$/;

const dir = nulFreeText
  .optional()
  .describe("The folder whose conversations are meant. Default: the one that Claude works in.");

export const SessionList = inbound("session_list", {
  dir,
  all_folders: optionalFlag.describe(
    "True: the conversations of all folders. Not together with `dir`.",
  ),
  limit: number
    .int()
    .min(1)
    .max(PAGE_SIZES.sessions.max)
    .optional()
    .describe(`The most sessions of the page. Default: ${PAGE_SIZES.sessions.default}.`),
  before: text
    .regex(SESSION_CURSOR)
    .optional()
    .describe("`next` of the previous page. Absent: the newest sessions."),
}).describe(
  "Requests the conversations of the folder, or of all, newest first; also before `protocol_init`, and nothing is started for it. Answered by `session_list_result` or `error`.",
);
export type SessionList = z.infer<typeof SessionList>;

export const SessionHistory = inbound("session_history", {
  dir,
  session_id: uuid.describe("The conversation: one of `session_list_result`, or the current one."),
  limit: number
    .int()
    .min(1)
    .max(PAGE_SIZES.turns.max)
    .optional()
    .describe(`The most turns of the page. Default: ${PAGE_SIZES.turns.default}.`),
  before: text
    .min(1)
    .optional()
    .describe("`before` of the following page. Absent: the newest turns."),
}).describe(
  "Requests the messages of a past conversation, a page of turns at a time; also before `protocol_init`, and nothing is started for it. Answered by `session_history_result` or `error`.",
);
export type SessionHistory = z.infer<typeof SessionHistory>;

export const SessionSummary = z
  .object({
    session_id: text.describe("The id of the conversation."),
    created_at: optionalText.describe(
      "When its first message was written, in ISO 8601. Absent if unknown.",
    ),
    updated_at: text.describe("When its transcript was last written, in ISO 8601."),
    bytes: count.describe("The size of its transcript, in bytes."),
    title: optionalText.describe(
      "The given name, a generated title, a summary or a prompt, on one line of at most 200 characters. Absent if none was found.",
    ),
    first_prompt: optionalText.describe(
      "Its first prompt, on one line of at most 200 characters. Absent if none was found.",
    ),
    cwd: optionalText.describe("The folder that it began in, for `dir`. Absent if unknown."),
    git_branch: optionalText.describe("The git branch at its end. Absent if unknown."),
    claude_version: optionalText.describe("The version of Claude at its end. Absent if unknown."),
  })
  .meta({
    id: "SessionSummary",
    description: "A past conversation, read from the first and the last 64 KiB of its transcript.",
  });
export type SessionSummary = z.infer<typeof SessionSummary>;

export const SessionListResult = outbound("session_list_result", {
  sessions: z.array(SessionSummary).describe("The most recently written first."),
  next: optionalText.describe(
    "`before` of the request for the next page. Absent on the last page.",
  ),
}).describe("Answers `session_list`.");

export const SessionHistoryResult = outbound("session_history_result", {
  session_id: text.describe("The conversation."),
  messages: z
    .array(z.looseObject({ type: text.describe("The kind of the message.") }))
    .describe(
      "Messages as in a live session, oldest first, without `ipc_version`, `seq` and `turn_id`. Of the kinds `user_text`, `assistant_text`, `thinking_text`, `message_complete`, `tool_use`, `tool_result`, `tool_use_structured`, `compact_boundary`, `task_notification` and `unknown_event`.",
    ),
  before: optionalText.describe(
    "`before` of the request for the turns before. Absent if the page begins with the first turn.",
  ),
  skipped_lines: count.describe("The number of lines of the transcripts that could not be read."),
  left_out: texts
    .optional()
    .describe(
      "The `tool_use_id`s of subagents whose conversations are too long for the page. Absent if none is.",
    ),
}).describe("Answers `session_history`.");

/** Where a conversation is resumed. */
export type ResumePoint = {
  /** The uuid of the last line that is kept; undefined if none is. */
  readonly at: string | undefined;
  /** The length of the transcript when this point was found, in bytes. */
  readonly bytes: number;
};
