/** How a session is, how much it has used, and its menu. On a phone the menu leads to all of it. */

import { useComputed } from "@preact/signals";
import { lazy } from "../elements/lazy.tsx";
import { PendingBadge } from "../elements/pending-badge.tsx";
import { useApp } from "../store/app.ts";
import { needingSessions } from "../store/needing-sessions.ts";
import { stateDot, stateText } from "../store/session-state.ts";
import type { SessionStore } from "../store/session-store.ts";
import { HeaderMenu } from "./header-menu.tsx";
import { ContextButton, CostButton } from "./usage-buttons.tsx";

const OthersButton = lazy(async () => (await import("./others-button.tsx")).OthersButton);

type ToolsProps = { readonly session: SessionStore };

export function HeaderTools({ session }: ToolsProps) {
  const pending = useComputed(() => session.prompts.value.length);
  return (
    <>
      <State session={session} />
      <div class="header-tools line tight">
        <Others />
        <PendingBadge count={pending.value} hasBell />
        <div class="header-usage line tight">
          <ContextButton session={session} />
          <CostButton session={session} />
        </div>
        <HeaderMenu />
      </div>
    </>
  );
}

/** The foot says in words that something goes on or has failed, and a card that it waits: here it is a sign. */
function State({ session }: ToolsProps) {
  const state = useComputed(() => ({ state: session.status.value, pending: 0 })).value;
  if (session.phase.value === "loading" || session.prompts.value.length > 0) return null;
  const dot = stateDot(state);
  const text = stateText(state);
  return (
    <p class="session-state line hint" title={text}>
      <span class={`dot ${dot}`} />
      <span class={dot === "" ? "truncate" : "visually-hidden"}>{text}</span>
    </p>
  );
}

/** Draws nothing where no other waits. */
function Others() {
  const { host, session } = useApp();
  const others = useComputed(
    () => needingSessions(host.board.value).filter((id) => id !== session.value?.id).length,
  ).value;
  return <span role="status">{others > 0 && <OthersButton others={others} />}</span>;
}
