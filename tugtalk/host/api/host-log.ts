/** The log of the host about itself and its places. A text of another program is never printed unescaped. */
import { showHidden } from "../../client/views/visible-text.ts";
import { JournalError } from "../journal/journal-error.ts";
import { ApiError } from "./api-error.ts";

/** Prints one line on stderr. */
export function logLine(text: string): void {
  console.error(showHidden(text));
}

/** Logs an error: an expected one in one line, a mistake of ours with its place in the code. */
export function logError(error: unknown): void {
  const isExpected = error instanceof JournalError || error instanceof ApiError;
  logLine(`tugtalk host: ${isExpected ? error.message : Bun.inspect(error)}`);
}
