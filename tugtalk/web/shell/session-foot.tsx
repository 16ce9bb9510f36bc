/** What stands between the transcript and the composer: what is asked, what goes on, what has failed. */
import { useRef } from "preact/hooks";
import { LimitNotice } from "../board/limit-notice.tsx";
import { lazy } from "../elements/lazy.tsx";
import { TaskLine } from "../panels/task-line.tsx";
import { isSpent } from "../store/session-columns.ts";
import { useSessionInfo } from "../store/session-info.ts";
import type { SessionStore } from "../store/session-store.ts";
import { Problem } from "./problem.tsx";

const Prompts = lazy(async () => (await import("../prompts/prompts.tsx")).Prompts);

export function SessionFoot({ session }: { readonly session: SessionStore }) {
  const status = session.status.value;
  const info = useSessionInfo(session).value;
  // What became of the last prompt is told after it is closed.
  const wasAsked = useRef(false);
  wasAsked.current ||= session.prompts.value.length > 0;
  return (
    <>
      {info !== undefined && isSpent(info) && <LimitNotice session={info} />}
      <TaskLine session={session} />
      {(status === "failed" || status === "disconnected") && <Problem session={session} />}
      {wasAsked.current && <Prompts session={session} />}
    </>
  );
}
