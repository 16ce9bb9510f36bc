/** The way back to the end of the transcript, for a person who has scrolled away from it. */
import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { SessionStore } from "../store/session-store.ts";
import type { FollowedEnd } from "./followed-end.ts";

type EndButtonProps = { readonly session: SessionStore; readonly end: FollowedEnd };

export function EndButton({ session, end }: EndButtonProps) {
  const hasNewMessages = useHasNewMessages(session);
  return (
    <button
      type="button"
      class={hasNewMessages.value ? "end-button small primary" : "end-button small"}
      onClick={() => end.toEnd()}
    >
      {hasNewMessages.value ? "New messages" : "To the end"}
      <span aria-hidden="true"> ↓</span>
    </button>
  );
}

/** Whether anything has changed since the end was left, which is when the button came. */
function useHasNewMessages({ openEntries }: SessionStore) {
  const seen = useMemo(() => openEntries.peek(), [openEntries]);
  return useComputed(() => openEntries.value !== seen);
}
