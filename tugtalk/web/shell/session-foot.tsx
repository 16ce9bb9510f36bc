/** The part between the transcript and the composer: activity, prompts, failures. */
import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { lazy } from "../elements/lazy.tsx";
import { useSessionInfo } from "../store/session-info.ts";
import { isArchived, isSpent, stateDot } from "../store/session-state.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { FollowedEnd } from "../transcript/followed-end.ts";
import { Pickers } from "./pickers.tsx";

const ArchivedNotice = lazy(
  async () => (await import("../board/archived-notice.tsx")).ArchivedNotice,
);
const ActivityLine = lazy(async () => (await import("./activity-line.tsx")).ActivityLine);
const UsageLimitLine = lazy(async () => (await import("./usage-limit-line.tsx")).UsageLimitLine);
const EndButton = lazy(async () => (await import("../transcript/end-button.tsx")).EndButton);
const LimitNotice = lazy(async () => (await import("./session-notices.tsx")).LimitNotice);
const Problem = lazy(async () => (await import("./session-notices.tsx")).Problem);
const TaskButton = lazy(async () => (await import("./task-button.tsx")).TaskButton);
const Prompts = lazy(async () => (await import("../prompts/prompts.tsx")).Prompts);

type FootProps = { readonly session: SessionStore; readonly end: FollowedEnd };

export function SessionFoot({ session, end }: FootProps) {
  const status = session.status.value;
  const info = useSessionInfo(session).value;
  const isProblem = status === "failed" || status === "disconnected";
  // The outcome of the last prompt is shown after it is closed.
  const wasAsked = useRef(false);
  wasAsked.current ||= session.prompts.value.length > 0;
  const hasTasks = useComputed(
    () => session.taskList.value.tasks.length + session.backgroundTasks.value.length > 0,
  );
  return (
    <>
      <div class="foot-line line">
        <ActivityPart session={session} />
        {hasTasks.value && <TaskButton session={session} />}
        {!end.isAtEnd.value && <EndButton session={session} end={end} />}
        <Pickers session={session} />
      </div>
      {info !== undefined && isArchived(info) && <ArchivedNotice id={info.id} />}
      {info !== undefined && isSpent(info) && <LimitNotice session={info} />}
      {info?.limit_resets_at !== undefined && <UsageLimitLine session={info} />}
      {isProblem && <Problem isLost={status === "disconnected"} error={info?.last_error} />}
      {wasAsked.current && <Prompts session={session} />}
    </>
  );
}

function ActivityPart({ session }: { readonly session: SessionStore }) {
  const isOpen = session.phase.value === "open";
  const isActive = stateDot({ state: session.status.value, pending: 0 }) === "dot-working";
  const wasQuiet = useRef(false);
  wasQuiet.current ||= isOpen && !isActive;
  if (!isOpen || !isActive) return null;
  return <ActivityLine session={session} isWatched={wasQuiet.current} />;
}
