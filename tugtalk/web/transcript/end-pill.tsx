/** The way back to the end, for a person who has scrolled away from it. */
import { useSignal, useSignalEffect } from "@preact/signals";
import type { SessionStore } from "../store/session-store.ts";
import type { FollowedEnd } from "./followed-end.ts";

type EndPillProps = { readonly session: SessionStore; readonly end: FollowedEnd };

export function EndPill({ session, end }: EndPillProps) {
  const hasNewMessages = useHasNews(session, end);
  if (end.isAtEnd.value) return null;
  return (
    <button
      type="button"
      class={hasNewMessages.value ? "end-pill news" : "end-pill"}
      onClick={() => end.toEnd()}
    >
      {hasNewMessages.value ? "New messages" : "To the end"}
      <span aria-hidden="true"> ↓</span>
    </button>
  );
}

/** Whether anything has changed since the end was left. */
function useHasNews(session: SessionStore, end: FollowedEnd) {
  const seen = useSignal(session.openEntries.peek());
  const hasNewMessages = useSignal(false);
  useSignalEffect(() => {
    const open = session.openEntries.value;
    if (end.isAtEnd.value) seen.value = open;
    hasNewMessages.value = open !== seen.peek();
  });
  return hasNewMessages;
}
