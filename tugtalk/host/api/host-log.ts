/** The log of the host about itself and its places: no text of another program reaches a terminal as it is. */
import { showHidden } from "../../client/views/visible-text.ts";
import { JournalError } from "../journal/journal-error.ts";

/** Prints one line on stderr. */
export function logLine(text: string): void {
  console.error(showHidden(text));
}

/** Logs an error: one of a disk or a file in one line, one of our own with its place in the code. */
export function logError(error: unknown): void {
  logLine(`tugtalk host: ${error instanceof JournalError ? error.message : Bun.inspect(error)}`);
}
