/** One line about the current activity: `Running Bash · 12 s · Esc stops`. */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatDuration } from "../elements/format-amount.ts";
import type { SessionStore } from "../store/session-store.ts";
import { stopAction } from "../store/stop-action.ts";
import { type Activity, activityOf } from "./activity-text.ts";

type ActivityLineProps = {
  readonly session: SessionStore;
  /** Nothing went on before: its beginning is known. */
  readonly isWatched: boolean;
};

export function ActivityLine({ session, isWatched }: ActivityLineProps) {
  const state = session.state.value;
  const activity = useComputed(() => activityOf(session.state.value)).value;
  const seconds = useSeconds(activity, isWatched);
  if (activity === undefined) return null;
  const { text, tokens = 0 } = activity;
  const isStoppable = stopAction(state, false) === "interrupt";
  return (
    <p class={`activity line tight activity-${state.status}`}>
      <span class="cursor" aria-hidden="true" />
      <span class="truncate numeric">
        {text}
        {seconds > 0 && ` · ${formatSeconds(seconds)}`}
        {tokens > 0 && ` · about ${tokens.toLocaleString("en-US")} tokens`}
        {isStoppable && <span class="activity-way"> · Esc stops</span>}
      </span>
    </p>
  );
}

const TICK_MS = 1_000;

/** For how many seconds it goes on; 0 where that is not known. */
function useSeconds(activity: Activity | undefined, isWatched: boolean): number {
  const { key, seconds = 0 } = activity ?? {};
  const now = useSignal(performance.now());
  // An activity from before somebody looked has no known beginning until Claude gives it.
  const begun = useRef({ key, at: isWatched ? performance.now() : Number.POSITIVE_INFINITY });
  if (begun.current.key !== key) begun.current = { key, at: performance.now() };
  if (seconds > 0)
    begun.current.at = Math.min(begun.current.at, performance.now() - seconds * TICK_MS);
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = performance.now();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [now]);
  return Math.max(seconds, Math.floor((now.value - begun.current.at) / TICK_MS), 0);
}

function formatSeconds(seconds: number): string {
  return seconds < 10 ? `${Math.floor(seconds)} s` : formatDuration(seconds * TICK_MS);
}
