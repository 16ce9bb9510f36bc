/** The host's own events of a session. Pure. */
import type { EntryPage } from "../../client/entry-pages.ts";
import type { QueueChange, QueuedMessageInfo } from "../../client/host-api.ts";
import type { ChangedFields, HostEvent, MessageSent } from "../../client/session-input.ts";
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
  session_rewound: true,
  host_error: true,
};

export const HOST_EVENTS: readonly string[] = Object.keys(NAMES);

/** Whether an entry of the journal is an event of the host rather than a message of its bridge. */
export function isHostEvent(type: string): boolean {
  return Object.hasOwn(NAMES, type);
}

/** An event that is not in the journal yet. */
function event<Type extends HostEvent["type"]>(
  type: Type,
  data: Omit<Extract<HostEvent, { type: Type }>, "type">,
): NewEntry {
  return { type, data };
}

export function messageQueued(message: QueuedMessageInfo): NewEntry {
  return event("message_queued", message);
}

export function messageSent(message: Omit<MessageSent, "type">): NewEntry {
  return event("message_sent", message);
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

/** Turns of the conversation from before the session; `before` is the cursor for older ones. */
export function historyAdded(page: EntryPage): NewEntry {
  return event("history_added", page);
}

export function sessionChanged(fields: ChangedFields): NewEntry {
  return event("session_changed", fields);
}

export function rewound(
  done: Omit<Extract<HostEvent, { type: "session_rewound" }>, "type">,
): NewEntry {
  return event("session_rewound", done);
}

export function hostError(code: string, error: string): NewEntry {
  return event("host_error", { error: showHidden(error), code });
}
