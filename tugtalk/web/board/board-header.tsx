/** The head of the board: the filter, and the way to a new session. */
import type { Signal } from "@preact/signals";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";

export function BoardHeader({ filter }: { readonly filter: Signal<string> }) {
  const { dialog } = useApp();
  return (
    <header class="board-header">
      <h1>Sessions</h1>
      <input
        type="search"
        class="board-filter"
        aria-label="Filter sessions"
        placeholder="Filter"
        title="Filter (/)"
        value={filter.value}
        onInput={(event) => {
          filter.value = event.currentTarget.value;
        }}
      />
      <button
        type="button"
        class="primary"
        title="New session (W)"
        onClick={() => {
          dialog.value = "new-session";
        }}
      >
        <Icon name="plus" />
        New session
      </button>
    </header>
  );
}
