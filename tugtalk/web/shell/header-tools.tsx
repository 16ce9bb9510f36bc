/** How a session is, what it is set to, how much it has used, and its menu. On a phone the menu leads to all of it. */

import { useComputed } from "@preact/signals";
import { goToNextNeeding } from "../board/session-actions.ts";
import { Icon } from "../elements/icon.tsx";
import { PendingBadge } from "../elements/pending-badge.tsx";
import { useApp } from "../store/app.ts";
import { needingSessions } from "../store/next-needing.ts";
import { stateDot, stateText } from "../store/session-state.ts";
import type { SessionStore } from "../store/session-store.ts";
import { HeaderMenu } from "./header-menu.tsx";
import { ModelPicker, ModePicker } from "./pickers.tsx";
import { ContextButton, CostButton } from "./usage-buttons.tsx";

type ToolsProps = { readonly session: SessionStore };

export function HeaderTools({ session }: ToolsProps) {
  const pending = useComputed(() => session.prompts.value.length);
  return (
    <>
      <State session={session} />
      <div class="header-tools line tight">
        <NextNeedingButton />
        <PendingBadge count={pending.value} hasBell />
        <div class="header-usage line tight">
          <ModePicker session={session} />
          <ModelPicker session={session} />
          <ContextButton session={session} />
          <CostButton session={session} />
        </div>
        <HeaderMenu />
      </div>
    </>
  );
}

function State({ session }: ToolsProps) {
  const state = useComputed(() => ({
    state: session.status.value,
    pending: session.prompts.value.length,
  }));
  if (session.phase.value === "loading") return null;
  return (
    <p class="session-state line hint">
      <span class={`dot ${stateDot(state.value)}`} />
      <span class="truncate">{stateText(state.value)}</span>
    </p>
  );
}

/** Draws nothing where no other waits. */
function NextNeedingButton() {
  const app = useApp();
  const others = useComputed(() => {
    const shown = app.session.value?.id;
    return needingSessions(app.host.board.value).filter((id) => id !== shown).length;
  }).value;
  if (others === 0) return null;
  const label = others === 1 ? "other needs you" : "others need you";
  return (
    <button
      type="button"
      class="quiet small next-needing warn-text"
      title="Go to the next session that needs you"
      onClick={() => goToNextNeeding(app)}
    >
      <span class="dot dot-waiting" />
      <span>
        {others} <span class="visually-hidden">{label}</span>
      </span>
      <Icon name="chevron-right" />
    </button>
  );
}
