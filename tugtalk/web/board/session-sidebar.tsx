/** The list of sessions beside the one that is shown. */
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { SessionInfo } from "../../client/host-api.ts";
import { IconButton } from "../elements/icon-button.tsx";
import { memo } from "../elements/memo.tsx";
import { PendingBadge } from "../elements/pending-badge.tsx";
import { useApp } from "../store/app.ts";
import { formatRoute } from "../store/route.ts";
import { columnOf, stateDot, stateText } from "../store/session-state.ts";
import { titleText } from "../store/title-text.ts";
import { shortDir } from "./session-text.ts";

export function SessionSidebar() {
  const { host, session, open } = useApp();
  const parts = useComputed(() => sessionListParts(host.board.value.sessions)).value;
  const shown = session.value?.id;
  return (
    <nav class="session-sidebar" aria-label="Sessions">
      <header class="line">
        <a href="#/">Sessions</a>
        <IconButton
          icon="plus"
          label="New session"
          title="New session (W)"
          onClick={() => open("new-session")}
        />
      </header>
      <Rows sessions={parts.live} shown={shown} />
      {parts.ended.length > 0 && <h2 class="session-rows-heading">Ended</h2>}
      <Rows sessions={parts.ended} shown={shown} />
    </nav>
  );
}

type RowsProps = {
  readonly sessions: readonly SessionInfo[];
  readonly shown: string | undefined;
};

function Rows({ sessions, shown }: RowsProps) {
  return (
    <ul class="session-rows">
      {sessions.map((session) => (
        <Row key={session.id} session={session} isShown={session.id === shown} />
      ))}
    </ul>
  );
}

type RowProps = { readonly session: SessionInfo; readonly isShown: boolean };

/** Drawn again only when its own session has changed. */
const Row = memo(({ session, isShown }: RowProps) => {
  const { id, title, dir, pending } = session;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  return (
    <li ref={row}>
      <a
        class="session-row"
        href={formatRoute({ name: "session", id })}
        aria-current={isShown ? "page" : undefined}
      >
        <span class={`dot ${stateDot(session)}`} role="img" aria-label={stateText(session)} />
        <span class="session-row-title truncate" dir="auto">
          {titleText(title)}
        </span>
        <PendingBadge count={pending} />
        <span class="session-row-dir truncate">{shortDir(dir)}</span>
      </a>
    </li>
  );
});

type SessionListParts = {
  /** In the order of the host, so that none moves while it works. */
  readonly live: readonly SessionInfo[];
  /** The latest ones; all others are on the board. */
  readonly ended: readonly SessionInfo[];
};

const SHOWN_ENDED = 15;

export function sessionListParts(sessions: readonly SessionInfo[]): SessionListParts {
  const isEnded = (session: SessionInfo) => columnOf(session) === "ended";
  return {
    live: sessions.filter((session) => !isEnded(session)),
    ended: sessions
      .filter(isEnded)
      .sort((one, other) => other.updated_at - one.updated_at)
      .slice(0, SHOWN_ENDED),
  };
}
