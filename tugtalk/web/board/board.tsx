/** All sessions as cards in columns. */
import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { SessionInfo } from "../../client/host-api.ts";
import { useApp } from "../store/app.ts";
import { type BoardColumn, boardColumns, COLUMN_TITLES } from "./board-columns.ts";
import { BoardHeader } from "./board-header.tsx";
import { handleBoardKey } from "./board-keys.ts";
import { Card } from "./card.tsx";
import { Welcome } from "./welcome.tsx";

/** More cards than this are drawn when somebody asks for them. */
const SHOWN_CARDS = 60;

export function Board() {
  const { host } = useApp();
  const filter = useSignal("");
  const columns = useComputed(() => boardColumns(host.board.value.sessions, filter.value));
  const main = useRef<HTMLElement>(null);
  useBoardKeys(main);
  const { sessions, isLoaded } = host.board.value;
  if (isLoaded && sessions.length === 0) return <Welcome />;
  return (
    <main class="board" ref={main}>
      <BoardHeader filter={filter} />
      <div class="columns">
        {columns.value.map(({ column, sessions: shown }) => (
          <ColumnView key={column} column={column} sessions={shown} />
        ))}
      </div>
    </main>
  );
}

function useBoardKeys(main: { readonly current: HTMLElement | null }): void {
  const { dialog } = useApp();
  // Before it is seen, so that no key is lost.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (main.current !== null && dialog.value === undefined) handleBoardKey(event, main.current);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [main, dialog]);
}

function ColumnView({ column, sessions }: BoardColumn) {
  const title = COLUMN_TITLES[column];
  const isEmpty = sessions.length === 0;
  return (
    <section class={`column column-${column}${isEmpty ? " column-empty" : ""}`} aria-label={title}>
      <h2>
        {title} <span class="column-count">{sessions.length}</span>
      </h2>
      <Cards sessions={sessions} />
    </section>
  );
}

function Cards({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const limit = useSignal(SHOWN_CARDS);
  const more = sessions.length - limit.value;
  return (
    <>
      <ul class="cards">
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
