/** Which messages a person can go back to. */
import type { UserItem } from "../../client/transcript-models.ts";
import type { SessionStore } from "./session-store.ts";

/** No command, where Claude can go back to none. */
export function canRetry(
  { source, messageId, text }: UserItem,
  { losesCommands }: Pick<SessionStore, "losesCommands">,
): boolean {
  if (source !== "host" || messageId === undefined) return false;
  return !text.startsWith("/") || !losesCommands.value;
}
