/** Which messages a person can go back to. */
import { hasCommandOutput, indexOfMessage } from "../../client/rewound-entries.ts";
import type { UserItem } from "../../client/transcript-models.ts";
import type { SessionStore } from "./session-store.ts";

/** No command of those that Claude cannot go back to. */
export function canRetry(
  { source, messageId, text }: UserItem,
  { lostCommands, entries: { value: entries } }: Pick<SessionStore, "lostCommands" | "entries">,
): boolean {
  if (source !== "host" || messageId === undefined) return false;
  const lost = text.startsWith("/") ? lostCommands.value : "none";
  if (lost !== "local") return lost === "none";
  return !hasCommandOutput(entries[indexOfMessage(entries, messageId)]);
}
