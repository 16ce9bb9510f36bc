/** Leads from a session to the next one that waits for a person. */
import { useComputed } from "@preact/signals";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import { needingSessions } from "../store/next-needing.ts";
import { goToNextNeeding } from "./session-actions.ts";

/** Draws nothing where no other waits. */
export function NextNeedingButton() {
  const app = useApp();
  const others = useComputed(() => {
    const shown = app.session.value?.id;
    return needingSessions(app.host.board.value).filter((id) => id !== shown).length;
  }).value;
  if (others === 0) return null;
  const words = others === 1 ? "other needs you" : "others need you";
  return (
    <button
      type="button"
      class="quiet small next-needing"
      title="Go to the next session that needs you"
      onClick={() => goToNextNeeding(app)}
    >
      <span class="dot dot-waiting" />
      <span>
        {others} <span class="visually-hidden">{words}</span>
      </span>
      <Icon name="chevron-right" />
    </button>
  );
}
