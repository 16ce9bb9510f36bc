/** What lies around the transcript: the question that is being answered, and the way to the end. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { createPortal, type RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import { lazy } from "../elements/lazy.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import { Announcements } from "./announcements.ts";
import type { FollowedEnd } from "./followed-end.ts";
import { QuestionBar } from "./question-bar.tsx";

const FindBar = lazy(async () => (await import("./find-bar.tsx")).FindBar);

type SurroundingsProps = {
  readonly session: SessionStore;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly end: FollowedEnd;
};

export function Surroundings({ session, scroller, end }: SurroundingsProps) {
  const { isFinding } = useApp();
  return (
    <>
      <QuestionBar session={session} scroller={scroller} end={end} />
      {isFinding.value && scroller.current !== null && (
        <FindBar session={session} scroller={scroller.current} end={end} />
      )}
      <EndPill session={session} end={end} />
      {session.phase.value === "open" && <Announcer session={session} />}
    </>
  );
}

type EndPillProps = { readonly session: SessionStore; readonly end: FollowedEnd };

/** The way back to the end, for a person who has scrolled away from it. */
function EndPill({ session, end }: EndPillProps) {
  const hasNewMessages = useHasNewMessages(session, end);
  if (end.isAtEnd.value) return null;
  return (
    <button
      type="button"
      class={hasNewMessages.value ? "end-pill has-new" : "end-pill"}
      onClick={() => end.toEnd()}
    >
      {hasNewMessages.value ? "New messages" : "To the end"}
      <span aria-hidden="true"> ↓</span>
    </button>
  );
}

/** Whether anything has changed since the end was left. */
function useHasNewMessages(session: SessionStore, end: FollowedEnd) {
  const seen = useSignal(session.openEntries.peek());
  const hasNewMessages = useSignal(false);
  useSignalEffect(() => {
    const open = session.openEntries.value;
    if (end.isAtEnd.value) seen.value = open;
    hasNewMessages.value = open !== seen.peek();
  });
  return hasNewMessages;
}

/** The latest announcements that stay, for a screen reader that is slow. */
const KEPT = 4;

/** Announces to screen readers what is finished. It stands apart from the conversation, which they read too. */
function Announcer({ session }: { readonly session: SessionStore }) {
  const announcements = useMemo(() => new Announcements(), [session]);
  const shown = useSignal<readonly { readonly id: number; readonly text: string }[]>([]);
  useSignalEffect(() => {
    if (session.phase.value === "loading") return;
    const texts = announcements.next(session.entries.value, session.openEntries.value);
    if (texts.length === 0) return;
    const before = shown.peek();
    const id = (before.at(-1)?.id ?? 0) + 1;
    const added = texts.map((text, index) => ({ id: id + index, text }));
    shown.value = [...before, ...added].slice(-KEPT);
  });
  return createPortal(
    <div class="visually-hidden announcer" aria-live="polite" aria-relevant="additions">
      {shown.value.map(({ id, text }) => (
        <p key={id}>{showHidden(text)}</p>
      ))}
    </div>,
    document.body,
  );
}
