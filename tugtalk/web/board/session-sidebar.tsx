/** The list of sessions beside the shown session. */
import { useComputed } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { SessionInfo } from "../../client/host-api.ts";
import { IconButton } from "../elements/icon-button.tsx";
import { memo } from "../elements/memo.tsx";
import { now } from "../elements/now.ts";
import { OPTION_STEPS } from "../elements/option-steps.ts";
import { useApp } from "../store/app.ts";
import { formatRoute } from "../store/route.ts";
import { stateDot, stateText } from "../store/session-state.ts";
import { titleText } from "../store/title-text.ts";
import { dayOf, type SessionGroup, sessionGroups } from "./session-days.ts";
import { shortDir } from "./short-dir.ts";

export function SessionSidebar() {
  const { host, session, open } = useApp();
  const today = useComputed(() => dayOf(now.value));
  const groups = useComputed(() =>
    sessionGroups(host.board.value.sessions, today.value, session.value?.id),
  ).value;
  return (
    <nav class="session-sidebar" aria-label="Sessions" onKeyDown={moveFocus}>
      <header class="line">
        <a href="#/">Sessions</a>
        <IconButton
          icon="plus"
          label="New session"
          title="New session (W)"
          onClick={() => open("new-session")}
        />
      </header>
      {groups.map((group) => (
        <Group key={group.title} {...group} />
      ))}
    </nav>
  );
}

const STEPS: Readonly<Record<string, number>> = { ...OPTION_STEPS, j: 1, k: -1 };

/** From row to row, by the keys of the board. */
function moveFocus(event: TargetedKeyboardEvent<HTMLElement>): void {
  const { key, ctrlKey, metaKey, altKey, currentTarget } = event;
  const step = STEPS[key];
  if (step === undefined || ctrlKey || metaKey || altKey) return;
  event.preventDefault();
  const rows = [...currentTarget.querySelectorAll<HTMLElement>("[open] .session-row")];
  const at = rows.findIndex((row) => row.matches(":focus"));
  rows[Math.max(at + step, 0)]?.focus();
}

/** Archived sessions are folded away unless one of them is shown. */
function Group({ title, sessions }: SessionGroup) {
  const shown = useApp().session.value?.id;
  return (
    <details open={title !== "Archived" || sessions.some(({ id }) => id === shown)}>
      <summary>
        <h2 class="session-rows-heading">{title}</h2>
      </summary>
      <ul class="session-rows">
        {sessions.map((session) => (
          <Row key={session.id} session={session} isShown={session.id === shown} />
        ))}
      </ul>
    </details>
  );
}

type RowProps = { readonly session: SessionInfo; readonly isShown: boolean };

/** Drawn again only when its own session has changed. */
const Row = memo(({ session, isShown }: RowProps) => {
  const { id, title, dir } = session;
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
        <span class="session-row-dir truncate">{shortDir(dir)}</span>
      </a>
    </li>
  );
});
