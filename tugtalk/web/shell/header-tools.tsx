/** How a session is, what it is set to, how much it has used, and its menu. On a phone the menu leads to all of it. */
import { useComputed } from "@preact/signals";
import { NextNeedingButton } from "../board/next-needing-button.tsx";
import { PendingBadge } from "../elements/pending-badge.tsx";
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
      <div class="header-tools">
        <NextNeedingButton />
        <PendingBadge count={pending.value} hasBell />
        <div class="header-usage">
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
    <p class="session-state">
      <span class={`dot ${stateDot(state.value)}`} />
      <span class="truncate">{stateText(state.value)}</span>
    </p>
  );
}
