/** At the top of the transcript: the question of the turn that is being read, and the folding of all turns. */
import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import { IconButton } from "../elements/icon-button.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import { entryAtTop } from "./entry-at.ts";
import type { FollowedEnd } from "./followed-end.ts";
import { questionOf } from "./turn-end.ts";

type QuestionBarProps = {
  readonly session: SessionStore;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly end: FollowedEnd;
};

/** It is there once the question itself is out of sight. */
export function QuestionBar({ session, scroller, end }: QuestionBarProps) {
  const key = useKeyInSight(scroller);
  const question = useComputed(() => {
    const { entries, openEntries } = session;
    const isWanted = (entry: { readonly key: string }) => entry.key === key.value;
    const entry = openEntries.value.find(isWanted) ?? entries.value.findLast(isWanted);
    return entry && questionOf(entry);
  });
  if (question.value === undefined) return null;
  const goToQuestion = () => {
    end.leave();
    if (scroller.current !== null) entryInSight(scroller.current)?.scrollIntoView();
  };
  return (
    <div class="question-bar">
      <button
        type="button"
        class="question quiet grow hint"
        title="To this question"
        onClick={goToQuestion}
      >
        <span class="truncate" dir="auto">
          {showHidden(question.value)}
        </span>
      </button>
      <FoldAll session={session} />
    </div>
  );
}

function FoldAll({ session }: { readonly session: SessionStore }) {
  const folds = useApp().folds.of(session.id);
  const { isAll } = folds;
  return (
    <IconButton
      icon={isAll ? "chevron-down" : "chevron-up"}
      label={isAll ? "Expand all turns" : "Collapse earlier turns"}
      onClick={() => folds.foldAll(!isAll)}
    />
  );
}

function useKeyInSight(scroller: RefObject<HTMLElement | null>) {
  const key = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    const update = () => {
      key.value = entryInSight(current)?.dataset["key"];
    };
    current.addEventListener("scroll", update, { passive: true });
    return () => current.removeEventListener("scroll", update);
  }, []);
  return key;
}

/** The entry at the top edge, if its question is out of sight. */
function entryInSight(scroller: HTMLElement): HTMLElement | undefined {
  const entry = entryAtTop(scroller);
  const asked = entry?.querySelector(".asked");
  const { top } = scroller.getBoundingClientRect();
  return asked != null && asked.getBoundingClientRect().bottom <= top ? entry : undefined;
}
