/** Says on every route that other sessions than the shown one ask something. */
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import { needingSessions } from "../store/next-needing.ts";
import { othersPending } from "./prompt-order.ts";

/** The dialog that it opens is one of those of the page, and so is its key. */
export function PromptOverlay() {
  const { host, session, open } = useApp();
  const pending = othersPending(host.board.value, session.value?.id);
  // The number is that of the header and the board, where a session may need a person for more than a prompt.
  const others = needingSessions(host.board.value).filter((id) => id !== session.value?.id).length;
  const size = pending.length === 0 ? 0 : others;
  return (
    <div role="status" class={session.value === undefined ? "board-shown" : ""}>
      {size > 0 && (
        <button
          type="button"
          class="prompt-pill"
          aria-keyshortcuts="P"
          onClick={() => open("prompt")}
        >
          <Icon name="bell" /> {size}
          <span class="prompt-pill-text">
            {size === 1 ? "session needs you" : "sessions need you"}
          </span>
          <kbd>P</kbd>
        </button>
      )}
    </div>
  );
}
