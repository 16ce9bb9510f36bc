/** A refusal of a command: the HTTP status, a code for programs, words for people. */

import type { RewoundFiles } from "../../client/rewind-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";

type Details = Readonly<Record<string, unknown>>;

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Further fields of the answer. */
  readonly details: Details;

  constructor(status: number, code: string, message: string, details: Details = {}) {
    // The message may quote a place, and its reader may print it.
    super(showHidden(message));
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = details;
  }

  get body(): Details {
    return { error: this.message, code: this.code, ...this.details };
  }
}

/** The refusal of a field. The details name the field for programs. */
export function badField(field: string, problem: string): ApiError {
  return new ApiError(400, "bad_request", `${field}: ${problem}`, { field });
}

export function unknownSession(): ApiError {
  return new ApiError(404, "unknown_session", "there is no such session");
}

/** The error of a rewind that failed after its files were put back. */
export function halfDone(error: ApiError, files: RewoundFiles | undefined): ApiError {
  if (files === undefined) return error;
  const { status, code, message, details } = error;
  const done = `the files were put back, but not the conversation: ${message}`;
  return new ApiError(status, code, done, { ...details, files });
}

export function databaseAway(): ApiError {
  return new ApiError(503, "database_away", "the database of the host cannot be reached");
}
