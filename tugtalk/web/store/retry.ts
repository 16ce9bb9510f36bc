/** Which messages a person can go back to. */
import { hasCommandOutput, indexOfMessage } from "../../client/rewound-entries.ts";
import type { UserItem } from "../../client/transcript-models.ts";
import type { SessionStore } from "./session-store.ts";

type Session = Pick<SessionStore, "lostCommands" | "entries" | "openEntries">;

/** Whether Claude can go back to before this message: it cannot for some commands. */
export function canRetry({ source, messageId, text }: UserItem, session: Session): boolean {
  if (source !== "host" || messageId === undefined) return false;
  const lost = text.startsWith("/") ? session.lostCommands.value : "none";
  if (lost !== "local") return lost === "none";
  const entries = [...session.entries.value, ...session.openEntries.value];
  return !hasCommandOutput(entries[indexOfMessage(entries, messageId)]);
}
