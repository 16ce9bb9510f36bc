/** The host's own events of a session. Pure. */
import type { EntryPage } from "../../client/entry-pages.ts";
import type { PendingPrompt, QueueChange, SessionInfo } from "../../client/host-api.ts";
import type { HostEvent } from "../../client/session-input.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { QueuedRow } from "../journal/journal.ts";
import type { EventDraft } from "../prompts/prompt-events.ts";
import { queuedInfo } from "./message-queue.ts";

const NAMES: Readonly<Record<HostEvent["type"], true>> = {
  "approval-requested": true,
  "question-requested": true,
  "elicitation-requested": true,
  "dialog-requested": true,
  "approval-resolved": true,
  "approval-cancelled": true,
  "message-queued": true,
  "message-sent": true,
  "queue-changed": true,
  "message-returned": true,
  "message-taken": true,
  "history-added": true,
  "session-changed": true,
  "host-error": true,
};

/** Whether an entry of the journal is an event of the host, and not a message of its bridge. */
export function isHostEvent(type: string): boolean {
  return Object.hasOwn(NAMES, type);
}

/** Both names of a session in the data of an event. */
export type EventSession = Pick<PendingPrompt, "sessionId" | "stageId">;

export function eventSession(id: string): EventSession {
  return { sessionId: id, stageId: id };
}

export function messageQueued(session: EventSession, row: QueuedRow): EventDraft {
  return { type: "message-queued", data: { ...session, ...queuedInfo(row) } };
}

export function messageSent(
  session: EventSession,
  { messageId, message }: Pick<QueuedRow, "messageId" | "message">,
  sentAt: number,
): EventDraft {
  const data = { ...session, message_id: messageId, message, sent_at: sentAt };
  return { type: "message-sent", data };
}

export function queueChanged(session: EventSession, change: QueueChange): EventDraft {
  return { type: "queue-changed", data: { ...session, ...change } };
}

export function messageReturned(session: EventSession, row: QueuedRow): EventDraft {
  return { type: "message-returned", data: { ...session, ...queuedInfo(row) } };
}

export function messageTaken(session: EventSession, message_id: string): EventDraft {
  return { type: "message-taken", data: { ...session, message_id } };
}

/** Turns of the conversation before the session; `before` is the cursor for those before them. */
export function historyAdded(session: EventSession, page: EntryPage): EventDraft {
  return { type: "history-added", data: { ...session, ...page } };
}

export function sessionChanged(
  session: EventSession,
  fields: Partial<Omit<SessionInfo, "id" | "limit_usd">> & { readonly limit_usd?: number | null },
): EventDraft {
  return { type: "session-changed", data: { ...session, ...fields } };
}

export function hostError(session: EventSession, code: string, error: string): EventDraft {
  return { type: "host-error", data: { ...session, error: showHidden(error), code } };
}
