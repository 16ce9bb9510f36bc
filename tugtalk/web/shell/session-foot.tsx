/** What stands between the transcript and the composer: what is asked, what goes on, what has failed. */
import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { SessionInfo } from "../../client/host-api.ts";
import { runsBeside } from "../../client/reducer/background-tasks.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { formatDollars } from "../elements/format-amount.ts";
import { Icon } from "../elements/icon.tsx";
import { lazy } from "../elements/lazy.tsx";
import { taskSummary } from "../panels/task-order.ts";
import { useApp } from "../store/app.ts";
import { useSessionInfo } from "../store/session-info.ts";
import { isSpent } from "../store/session-state.ts";
import type { SessionStore } from "../store/session-store.ts";

const Prompts = lazy(async () => (await import("../prompts/prompts.tsx")).Prompts);

export function SessionFoot({ session }: { readonly session: SessionStore }) {
  const status = session.status.value;
  const info = useSessionInfo(session).value;
  const isProblem = status === "failed" || status === "disconnected";
  // What became of the last prompt is told after it is closed.
  const wasAsked = useRef(false);
  wasAsked.current ||= session.prompts.value.length > 0;
  return (
    <>
      {info !== undefined && isSpent(info) && <LimitNotice session={info} />}
      <TaskLine session={session} />
      {isProblem && <Problem isLost={status === "disconnected"} error={info?.last_error} />}
      {wasAsked.current && <Prompts session={session} />}
    </>
  );
}

/** A session that has cost its limit goes on only once a person raises that. */
function LimitNotice({ session }: { readonly session: SessionInfo }) {
  const { open } = useApp();
  return (
    <div class="session-problem" role="status">
      <p class="strip strip-warn">
        <Icon name="coin" />
        <span class="grow">
          This session has cost its limit of {formatDollars(session.limit_usd ?? 0)}. Raise it to go
          on.
        </span>
        <button type="button" class="small" onClick={() => open("limit")}>
          Raise the limit
        </button>
      </p>
    </div>
  );
}

type ProblemProps = { readonly isLost: boolean; readonly error: string | undefined };

/** Why a session cannot go on, and what a person can do about it. */
function Problem({ isLost, error }: ProblemProps) {
  return (
    <div class="session-problem" role="status">
      <p class="strip strip-bad">
        <Icon name="warning" />
        <span class="grow">
          <strong>
            {isLost ? "The connection with its place is lost." : "Claude did not start."}
          </strong>{" "}
          {error !== undefined && `${sentence(error)} `}
          {isLost ? "It is continued as soon as it is safe." : "A message tries again."}
        </span>
      </p>
    </div>
  );
}

/** Some reasons end with a full stop, and others do not. */
function sentence(reason: string): string {
  return reason.replace(/(?<![.!?\s])\s*$/, ".");
}

/** One line above the composer: how far Claude is with its tasks, and how much runs in the background. */
function TaskLine({ session }: { readonly session: SessionStore }) {
  const { open } = useApp();
  const running = useComputed(() => {
    const state = session.state.value;
    return state.backgroundTasks.filter((task) => runsBeside(state, task)).length;
  }).value;
  const summary = taskSummary(session.taskList.value.tasks, running);
  if (summary === undefined) return null;
  return (
    <button type="button" class="task-line quiet small" title="Tasks" onClick={() => open("tasks")}>
      <Icon name="tasks" />
      <span class="truncate">{showHidden(summary)}</span>
    </button>
  );
}
