/** The number of other sessions that need a person. Their prompts are answered here; if they need something else, it leads to them. */
import { goToNextNeeding } from "../board/session-actions.ts";
import { Icon } from "../elements/icon.tsx";
import { othersPending } from "../prompts/prompt-order.ts";
import { useApp } from "../store/app.ts";

export function OthersButton({ others }: { readonly others: number }) {
  const app = useApp();
  const isAsked = othersPending(app.host.board.value, app.session.value?.id).length > 0;
  return (
    <button
      type="button"
      class="quiet small others-button warn-text"
      title={isAsked ? "What other sessions ask" : "Go to the next session that needs you"}
      aria-keyshortcuts={isAsked ? "P" : undefined}
      onClick={() => (isAsked ? app.open("prompt") : goToNextNeeding(app))}
    >
      <span class="dot dot-waiting" />
      <span>
        {others}{" "}
        <span class="others-text">{others === 1 ? "other needs you" : "others need you"}</span>
      </span>
      {isAsked ? <kbd>P</kbd> : <Icon name="chevron-right" />}
    </button>
  );
}
