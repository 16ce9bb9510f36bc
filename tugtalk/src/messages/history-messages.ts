/** The messages about past conversations: what a host may ask, and what it is told. */
import { z } from "zod";
import { inbound, outbound, SessionId } from "./envelope.ts";

const text = z.string();

/** How much one answer holds when the host does not say, and at most. */
export const PAGE_SIZES = {
  sessions: { usual: 50, most: 500 },
  turns: { usual: 20, most: 500 },
} as const;

/** Where a page of sessions ends: when the last one on it was written to, in ms, and its id. */
export const SESSION_CURSOR = /^(\d{1,16})_([0-9a-f-]{36})$/;

/** Asks for the conversations of the folder, the one that was written to last first. */
export const SessionList = inbound("session_list", {
  limit: z.number().int().min(1).max(PAGE_SIZES.sessions.most).optional(),
  /** `next` of the page before; absent: the first page. */
  before: text.regex(SESSION_CURSOR).optional(),
});
export type SessionList = z.infer<typeof SessionList>;

/** Asks for the newest turns of one conversation, or for those before a page. */
export const SessionHistory = inbound("session_history", {
  session_id: SessionId,
  /** In turns. */
  limit: z.number().int().min(1).max(PAGE_SIZES.turns.most).optional(),
  /** `before` of the page after; absent: the newest turns. */
  before: text.min(1).optional(),
});
export type SessionHistory = z.infer<typeof SessionHistory>;

/** One past conversation, from the edges of its transcript. */
export const SessionSummary = z.object({
  session_id: text,
  /** When it was written to last, ISO 8601. */
  updated_at: text,
  bytes: z.number().int().nonnegative(),
  /** What was said last or first, on one line. */
  title: text.optional(),
  git_branch: text.optional(),
  claude_version: text.optional(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

export const SessionListResult = outbound("session_list_result", {
  sessions: z.array(SessionSummary),
  /** Absent: there are no older ones. */
  next: text.optional(),
});

export const SessionHistoryResult = outbound("session_history_result", {
  session_id: text,
  /** What a live session sends, without version and number, oldest first. */
  messages: z.array(z.looseObject({ type: text })),
  /** Absent: the conversation begins here. */
  before: text.optional(),
  /** Lines that could not be read, in all transcripts that were. */
  skipped_lines: z.number().int().nonnegative(),
  /** The tool calls of subagents whose conversations are too long for the answer. */
  left_out: z.array(text).optional(),
});

/** Where a conversation is taken up. */
export type ResumePoint = {
  /** The last line that is kept, by its uuid; nothing where not even the first one is. */
  readonly at: string | undefined;
  /** The length of the transcript when the place was found, in bytes. */
  readonly bytes: number;
};
