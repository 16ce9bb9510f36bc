/** What the host prints of itself and of places: no text of another program reaches a terminal as it is. */
import { showHidden } from "../../client/views/visible-text.ts";

/** Prints one line on stderr. */
export function logLine(text: string): void {
  console.error(showHidden(text));
}

/** What failed by our own mistake. */
export function logError(error: unknown): void {
  logLine(`tugtalk host: ${Bun.inspect(error)}`);
}
