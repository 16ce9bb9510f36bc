/** Requests for past conversations, and their results. */
import { z } from "zod";
import { inbound, outbound, SessionId } from "./envelope.ts";

const text = z.string();

/** The default and the largest number of items on one page. */
export const PAGE_SIZES = {
  sessions: { default: 50, max: 500 },
  turns: { default: 20, max: 500 },
} as const;

/** The end of a page of sessions: the modification time of its last session in ms since 1970, and its id. */
export const SESSION_CURSOR = /^(\d{1,16})_([0-9a-f-]{36})$/;

/** Requests the conversations of the folder, newest first. */
export const SessionList = inbound("session_list", {
  limit: z.number().int().min(1).max(PAGE_SIZES.sessions.max).optional(),
  /** `next` of the previous page; absent for the first page. */
  before: text.regex(SESSION_CURSOR).optional(),
});
export type SessionList = z.infer<typeof SessionList>;

/** Requests the newest turns of one conversation, or those before a page. */
export const SessionHistory = inbound("session_history", {
  session_id: SessionId,
  /** In turns. */
  limit: z.number().int().min(1).max(PAGE_SIZES.turns.max).optional(),
  /** `before` of the following page; absent for the newest turns. */
  before: text.min(1).optional(),
});
export type SessionHistory = z.infer<typeof SessionHistory>;

/** One past conversation, read from the start and the end of its transcript. */
export const SessionSummary = z.object({
  session_id: text,
  /** ISO 8601. */
  updated_at: text,
  bytes: z.number().int().nonnegative(),
  /** The given name, a generated title, a summary or a prompt, on one line. */
  title: text.optional(),
  git_branch: text.optional(),
  claude_version: text.optional(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

export const SessionListResult = outbound("session_list_result", {
  sessions: z.array(SessionSummary),
  /** Absent on the last page. */
  next: text.optional(),
});

export const SessionHistoryResult = outbound("session_history_result", {
  session_id: text,
  /** The messages of a live session without `ipc_version` and `seq`, oldest first. */
  messages: z.array(z.looseObject({ type: text })),
  /** Absent if the page begins with the first turn. */
  before: text.optional(),
  /** Number of lines that could not be parsed. */
  skipped_lines: z.number().int().nonnegative(),
  /** Tool calls of subagents whose conversations are too long for the result. */
  left_out: z.array(text).optional(),
});

/** Where a conversation is resumed. */
export type ResumePoint = {
  /** The uuid of the last line that is kept; undefined if none is. */
  readonly at: string | undefined;
  /** The length of the transcript when this point was found, in bytes. */
  readonly bytes: number;
};
