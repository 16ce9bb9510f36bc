/** The text of an empty composer. Pure. */
import type { ReducedSession } from "../../client/reduced-session.ts";

/** There is none to write to. */
export const NO_SESSION = "No active session";

/** Nothing can be sent. */
export const NOT_CONNECTED = "Not connected. What you write is kept here.";

export function placeholderFor(
  { status, promptSuggestion }: Pick<ReducedSession, "status" | "promptSuggestion">,
  { isLost, isEmpty }: { readonly isLost: boolean; readonly isEmpty: boolean },
): string {
  if (isLost) return NOT_CONNECTED;
  switch (status) {
    case "failed":
      return "Send a message to try again...";
    case "exited":
      return "Send a message to continue the conversation...";
    default:
      return promptSuggestion ?? `Send ${isEmpty ? "the first" : "a follow-up"} message...`;
  }
}
