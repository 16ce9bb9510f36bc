/** The log of the host about itself and its places: no text of another program reaches a terminal as it is. */
import { showHidden } from "../../client/views/visible-text.ts";
import { JournalError } from "../journal/journal-error.ts";
import { ApiError } from "./api-error.ts";

/** Prints one line on stderr. */
export function logLine(text: string): void {
  console.error(showHidden(text));
}

/** Logs an error: one that can be expected in one line, one of our own with its place in the code. */
export function logError(error: unknown): void {
  const isExpected = error instanceof JournalError || error instanceof ApiError;
  logLine(`tugtalk host: ${isExpected ? error.message : Bun.inspect(error)}`);
}
