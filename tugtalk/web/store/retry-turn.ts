/** Tries a turn that has failed once more, where it stands. */
import type {
  TranscriptEntry,
  TranscriptItem,
  Turn,
  UserItem,
} from "../../client/transcript-models.ts";
import type { App } from "./app.ts";
import { attachmentsOf } from "./message-attachments.ts";
import { newId } from "./new-id.ts";
import { sendMessage } from "./send-message.ts";
import type { SessionStore } from "./session-store.ts";

/** The messages of a person in a turn. */
export function askedIn({ items }: Pick<Turn, "items">): readonly UserItem[] {
  return items.filter(isAsked);
}

function isAsked(item: TranscriptItem): item is UserItem {
  return item.kind === "user" && item.source === "host";
}

/** The only turn that can be tried again: an earlier one would also repeat the messages after it. */
export function latestTurn(
  entries: readonly TranscriptEntry[],
  openEntries: readonly TranscriptEntry[],
): Turn | undefined {
  const isTurn = (entry: TranscriptEntry) => entry.kind === "turn";
  return openEntries.findLast(isTurn) ?? entries.findLast(isTurn);
}

/** Sends its messages again, as new ones. A message that the host refuses comes back into the composer. */
export async function retryTurn(app: App, session: SessionStore, turn: Turn): Promise<void> {
  const { unanswered } = app.drafts.of(session.id);
  const messages = askedIn(turn).map(({ text, content }) => ({
    clientMessageId: newId(),
    text,
    attachments: attachmentsOf(content),
  }));
  unanswered.value = [...unanswered.value, ...messages];
  for (const message of messages) await sendMessage(app, session.id, message);
}
