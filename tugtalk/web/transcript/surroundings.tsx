/** The surroundings of the transcript: the question that is being answered, and the bar of the search. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { createPortal, type RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
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
  const { isFinding, found } = useApp();
  // A search is for one conversation.
  useEffect(
    () => () => {
      isFinding.value = false;
    },
    [session],
  );
  useSignalEffect(() => {
    if (found.value?.session === session.id) isFinding.value = true;
  });
  return (
    <>
      <QuestionBar session={session} scroller={scroller} end={end} />
      {isFinding.value && scroller.current !== null && (
        <FindBar session={session} scroller={scroller.current} end={end} />
      )}
      {session.phase.value === "open" && <Announcer session={session} />}
    </>
  );
}

/** The latest announcements that stay, for a screen reader that is slow. */
const KEPT = 4;

/** Announces finished parts to screen readers. It stands apart from the conversation, which they read too. */
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
