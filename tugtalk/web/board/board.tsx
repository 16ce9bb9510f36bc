/** All sessions as cards in columns. */
import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { SessionInfo } from "../../client/host-api.ts";
import { bound } from "../elements/bound.ts";
import { focusMain } from "../elements/focus-main.ts";
import { Icon } from "../elements/icon.tsx";
import { IconButton } from "../elements/icon-button.tsx";
import { useWindowListener } from "../elements/use-window-listener.ts";
import { useApp } from "../store/app.ts";
import { type BoardColumn, boardParts, COLUMN_TITLES } from "./board-columns.ts";
import { handleBoardKey } from "./board-keys.ts";
import { Card } from "./card.tsx";
import { Welcome } from "./welcome.tsx";

/** More cards than this are drawn when somebody asks for them. */
const SHOWN_CARDS = 60;

export function Board() {
  const { host, dialog } = useApp();
  const filter = useSignal("");
  const parts = useComputed(() => boardParts(host.board.value.sessions, filter.value));
  const main = useRef<HTMLElement>(null);
  useWindowListener("keydown", (event) => {
    if (main.current !== null && dialog.value === undefined) handleBoardKey(event, main.current);
  });
  const { sessions, isLoaded } = host.board.value;
  if (isLoaded && sessions.length === 0) return <Welcome />;
  return (
    <main class="board" ref={main}>
      <BoardHeader filter={filter} />
      <div class="columns">
        {parts.value.columns.map(({ column, sessions: shown }) => (
          <ColumnView key={column} column={column} sessions={shown} />
        ))}
      </div>
      <Archived sessions={parts.value.archived} />
    </main>
  );
}

function ColumnView({ column, sessions }: BoardColumn) {
  const title = COLUMN_TITLES[column];
  const isEmpty = sessions.length === 0;
  return (
    <section class={`column column-${column}${isEmpty ? " column-empty" : ""}`} aria-label={title}>
      <h2 class="line">
        {title} <span class="column-count muted">{sessions.length}</span>
        {column === "needs-you" && <AnswerButton />}
      </h2>
      <Cards sessions={sessions} />
    </section>
  );
}

/** Archived sessions, out of sight until somebody looks for them. */
function Archived({ sessions }: Pick<BoardColumn, "sessions">) {
  const isOpen = useSignal(false);
  if (sessions.length === 0) return null;
  return (
    <details
      class="archived"
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        Archived <span class="column-count muted">{sessions.length}</span>
      </summary>
      {isOpen.value && <Cards sessions={sessions} />}
    </details>
  );
}

/** A person can answer all prompts without leaving the board. */
function AnswerButton() {
  const { host, open } = useApp();
  if (host.board.value.pending.length === 0) return null;
  return (
    <button
      type="button"
      class="answer-button quiet small"
      title="What these sessions ask, one after the other"
      aria-keyshortcuts="P"
      onClick={() => open("prompt")}
    >
      Answer here <kbd>P</kbd>
    </button>
  );
}

function Cards({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const limit = useSignal(SHOWN_CARDS);
  const more = sessions.length - limit.value;
  return (
    <>
      <ul class="stack">
        {sessions.slice(0, limit.value).map((session) => (
          <Card key={session.id} session={session} />
        ))}
      </ul>
      {more > 0 && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            limit.value += 5 * SHOWN_CARDS;
          }}
        >
          Show more ({more})
        </button>
      )}
    </>
  );
}

/** The head of the board: the filter, and the way to a new session. */
function BoardHeader({ filter }: { readonly filter: Signal<string> }) {
  const { open, searched } = useApp();
  const search = () => {
    searched.value = filter.value;
    open("search");
  };
  return (
    <header class="board-header line">
      <h1>Sessions</h1>
      <input
        type="search"
        class="board-filter"
        aria-label="Filter sessions"
        placeholder="Filter"
        title="Filter (/), and Enter to search in what was said"
        {...bound(filter)}
        onKeyDown={({ key, isComposing, currentTarget }) => {
          if (isComposing) return;
          if (key === "Enter") search();
          // Before, the browser empties it.
          if (key === "Escape" && currentTarget.value === "") focusMain();
        }}
      />
      <IconButton
        icon="search"
        label="Search in all sessions"
        title="Search in all sessions (S)"
        onClick={search}
      />
      <button
        type="button"
        class="primary"
        title="New session (W)"
        onClick={() => open("new-session")}
      >
        <Icon name="plus" />
        New session
      </button>
    </header>
  );
}
