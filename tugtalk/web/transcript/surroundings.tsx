/** What lies around the transcript: the question that is being answered, and the way to the end. */
import type { RefObject } from "preact";
import { lazy } from "../elements/lazy.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import { Announcer } from "./announcer.tsx";
import { EndPill } from "./end-pill.tsx";
import type { FollowedEnd } from "./followed-end.ts";
import { QuestionBar } from "./question-bar.tsx";

const FindBar = lazy(async () => (await import("./find-bar.tsx")).FindBar);

export type SurroundingsProps = {
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
