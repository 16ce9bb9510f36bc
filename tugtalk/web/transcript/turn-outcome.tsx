/** The end of a turn that did not end well, and what a person can do about it. */
import { useComputed, useSignal } from "@preact/signals";
import type { Turn } from "../../client/transcript-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Icon } from "../elements/icon.tsx";
import { focusMessageField } from "../elements/message-field.ts";
import { useApp } from "../store/app.ts";
import { askedIn, latestTurn, retryTurn } from "../store/retry-turn.ts";
import { useSessionInfo } from "../store/session-info.ts";
import type { SessionStore } from "../store/session-store.ts";
import { isFailed, isLoggedOut } from "./turn-failure.ts";

type OutcomeProps = {
  readonly session: SessionStore;
  readonly turn: Turn;
  readonly outcome: string;
};

export function TurnOutcome({ session, turn, outcome }: OutcomeProps) {
  const errors = turn.end?.errors ?? [];
  return (
    <div class={turn.status === "error" ? "outcome failed" : "outcome"}>
      {outcome}
      {errors.map((error) => (
        <p key={error} class="plain">
          {error}
        </p>
      ))}
      {isLoggedOut(turn) && <LogIn session={session} />}
      {isFailed(turn) && <Retry session={session} turn={turn} />}
    </div>
  );
}

/** Claude is logged in where it runs, which may be another machine. */
function LogIn({ session }: Pick<OutcomeProps, "session">) {
  const { place = "local" } = useSessionInfo(session).value ?? {};
  return (
    <p class="log-in">
      Claude is not logged in. {place === "local" ? "On this machine" : `On ${showHidden(place)}`},
      run <code>claude auth login</code> in a terminal, or <code>claude</code> and there{" "}
      <code>/login</code>.
    </p>
  );
}

function Retry({ session, turn }: Omit<OutcomeProps, "outcome">) {
  const app = useApp();
  const isSent = useSignal(false);
  const isLatest = useComputed(
    () => latestTurn(session.entries.value, session.openEntries.value)?.key === turn.key,
  );
  if (!isLatest.value || isSent.value || askedIn(turn).length === 0) return null;
  const retry = () => {
    isSent.value = true;
    // The button goes.
    focusMessageField();
    void retryTurn(app, session, turn);
  };
  return (
    <button type="button" class="small" title="Sends the same message again" onClick={retry}>
      <Icon name="refresh" /> Retry
    </button>
  );
}
