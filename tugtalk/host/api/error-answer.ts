/** The answer to a client whose command has failed. */
import {
  DamagedSessionError,
  JournalError,
  SlowSearchError,
  UnreachableJournalError,
} from "../journal/journal-error.ts";
import { ApiError } from "./api-error.ts";
import type { CommandAnswer } from "./command.ts";

/** Whether the journal is in a database that is unreachable at the moment. */
export function isDatabaseAway(error: unknown): error is UnreachableJournalError {
  return error instanceof UnreachableJournalError;
}

/** The answer to a refusal; 500 for any other error. */
export function answerOf(error: unknown): CommandAnswer {
  const { status, body } = refusalOf(error);
  return { status, body };
}

/** The refusal that a client gets for a failure. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DamagedSessionError)
    return new ApiError(500, "session_damaged", error.message);
  if (isDatabaseAway(error)) return new ApiError(503, "database_away", error.message);
  if (error instanceof SlowSearchError) return new ApiError(503, "search_too_slow", error.message);
  if (error instanceof JournalError) return new ApiError(500, "journal_failed", error.message);
  return new ApiError(500, "internal_error", "the host has failed; its log says more");
}
