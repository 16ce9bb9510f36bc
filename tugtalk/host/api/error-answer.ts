/** What a client is answered when its command has failed. */
import {
  DamagedSessionError,
  JournalError,
  SlowSearchError,
  UnreachableJournalError,
} from "../journal/journal-error.ts";
import { ApiError } from "./api-error.ts";
import type { CommandAnswer } from "./command.ts";

/** The journal is in a database that cannot be reached just now. */
export function isDatabaseAway(error: unknown): error is UnreachableJournalError {
  return error instanceof UnreachableJournalError;
}

/** The answer to a refusal; 500 for any other error. */
export function answerOf(error: unknown): CommandAnswer {
  if (error instanceof ApiError) return { status: error.status, body: error.body };
  if (error instanceof DamagedSessionError)
    return { status: 500, body: { error: error.message, code: "session_damaged" } };
  if (isDatabaseAway(error))
    return { status: 503, body: { error: error.message, code: "database_away" } };
  if (error instanceof SlowSearchError)
    return { status: 503, body: { error: error.message, code: "search_too_slow" } };
  if (error instanceof JournalError)
    return { status: 500, body: { error: error.message, code: "journal_failed" } };
  const message = "the host has failed; its log says more";
  return { status: 500, body: { error: message, code: "internal_error" } };
}
