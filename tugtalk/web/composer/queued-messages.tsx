/** The messages that wait: on their way to the host, in its queue, with Claude, and to be taken back. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import { QueuedRow, ReturnedRow } from "./queued-row.tsx";

export function QueuedMessages({ session }: { readonly session: SessionStore }) {
  const { drafts, host } = useApp();
  const { isQueueHeld, queue, returned } = session.state.value;
  const sent = queue.filter(({ isSent }) => isSent);
  const queued = queue.filter(({ isSent }) => !isSent);
  const isConnected = host.status.value === "connected";
  return (
    <ul class="waiting stack tight" aria-label="Messages that wait" aria-live="polite">
      {drafts.of(session.id).unanswered.value.map(({ clientMessageId, text }) => (
        <Late key={clientMessageId}>
          <span class="waiting-text clamp">
            {`${isConnected ? "Sending" : "Waits for the connection"}: "${text}"`}
          </span>
        </Late>
      ))}
      {sent.map(({ messageId, text = "" }) => (
        <Late key={messageId}>
          <span class="waiting-text clamp">{`Sent, and not read by Claude yet: "${text}"`}</span>
        </Late>
      ))}
      {returned.map((message) => (
        <Late key={message.messageId}>
          <ReturnedRow session={session} message={message} />
        </Late>
      ))}
      {isQueueHeld && queued.length > 0 && (
        <li class="waiting-note warn-text strong">
          The queue waits for you: send a message, or one of these.
        </li>
      )}
      {queued.map((message, index) => (
        <QueuedRow
          key={message.messageId}
          session={session}
          message={message}
          isFirst={index === 0}
        />
      ))}
    </ul>
  );
}

/** Most messages are read, and most returned ones are taken, before one could see that they wait. */
const SHOWN_AFTER_MS = 600;

function Late({ children }: { readonly children: ComponentChildren }) {
  const isShown = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isShown.value = true;
    }, SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isShown]);
  return isShown.value ? <li class="waiting-row row">{children}</li> : null;
}
