/** The host's own events of a session. Pure. */
import type { EntryPage } from "../../client/entry-pages.ts";
import type { QueueChange, QueuedMessageInfo, SessionInfo } from "../../client/host-api.ts";
import type { HostEvent } from "../../client/session-input.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { NewEntry } from "./session-state.ts";

const NAMES: Readonly<Record<HostEvent["type"], true>> = {
  message_queued: true,
  message_sent: true,
  queue_changed: true,
  message_returned: true,
  message_taken: true,
  history_added: true,
  session_changed: true,
  host_error: true,
};

/** Whether an entry of the journal is an event of the host, and not a message of its bridge. */
export function isHostEvent(type: string): boolean {
  return Object.hasOwn(NAMES, type);
}

/** An event before it is in the journal. */
function event<Type extends HostEvent["type"]>(
  type: Type,
  data: Omit<Extract<HostEvent, { type: Type }>, "type">,
): NewEntry {
  return { type, data };
}

export function messageQueued(message: QueuedMessageInfo): NewEntry {
  return event("message_queued", message);
}

/** `sentAt` in milliseconds since 1970. */
export function messageSent(
  { message_id, message }: Pick<QueuedMessageInfo, "message_id" | "message">,
  sentAt: number,
): NewEntry {
  return event("message_sent", { message_id, message, sent_at: sentAt });
}

export function queueChanged(change: QueueChange): NewEntry {
  return event("queue_changed", change);
}

export function messageReturned(message: QueuedMessageInfo): NewEntry {
  return event("message_returned", message);
}

export function messageTaken(message_id: string): NewEntry {
  return event("message_taken", { message_id });
}

/** Turns of the conversation before the session; `before` is the cursor for those before them. */
export function historyAdded(page: EntryPage): NewEntry {
  return event("history_added", page);
}

/** `limit_usd` is null for a limit that is gone. */
export function sessionChanged(
  fields: Partial<Omit<SessionInfo, "id" | "limit_usd">> & { readonly limit_usd?: number | null },
): NewEntry {
  return event("session_changed", fields);
}

export function hostError(code: string, error: string): NewEntry {
  return event("host_error", { error: showHidden(error), code });
}
