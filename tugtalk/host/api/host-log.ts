/** What the host prints of itself and of places: no text of another program reaches a terminal as it is. */
import { showHidden } from "../../client/views/visible-text.ts";
import { JournalError } from "../journal/journal-error.ts";

/** Prints one line on stderr. */
export function logLine(text: string): void {
  console.error(showHidden(text));
}

/** What failed: by a disk or a file in one line, by our own mistake with where. */
export function logError(error: unknown): void {
  logLine(`tugtalk host: ${error instanceof JournalError ? error.message : Bun.inspect(error)}`);
}
