/** One session on the board. */

import { Fragment } from "preact";
import type { SessionInfo } from "../../client/host-api.ts";
import { unmarkedText } from "../../client/views/unmarked-text.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Age } from "../elements/age.tsx";
import { Icon } from "../elements/icon.tsx";
import { memo } from "../elements/memo.tsx";
import { Menu, MenuItem } from "../elements/menu.tsx";
import { PendingBadge } from "../elements/pending-badge.tsx";
import { useApp } from "../store/app.ts";
import { formatRoute } from "../store/route.ts";
import { isSpent, shownState, stateText } from "../store/session-state.ts";
import { titleText } from "../store/title-text.ts";
import { sessionActions } from "./session-actions.ts";
import { costText, goesOnText } from "./session-text.ts";
import { shortDir } from "./short-dir.ts";

type CardProps = { readonly session: SessionInfo };

/** Drawn again only when its own session has changed. */
export const Card = memo(({ session }: CardProps) => {
  const { id, title, pending, last_text, last_error } = session;
  return (
    <li class="card session-card">
      <header class="card-header line">
        <h3 class="grow">
          <a class="card-link clamp" dir="auto" href={formatRoute({ name: "session", id })}>
            {titleText(title)}
          </a>
        </h3>
        <PendingBadge count={pending} />
        <SessionMenu session={session} />
      </header>
      <Where session={session} />
      {last_text !== undefined && (
        <p class="small clamp" dir="auto">
          {showHidden(unmarkedText(last_text))}
        </p>
      )}
      {last_error !== undefined && (
        <p class="card-failure small clamp bad-text">{showHidden(last_error)}</p>
      )}
      <Foot session={session} />
    </li>
  );
});

function Where({ session: { place, machine, dir } }: CardProps) {
  const where = machine ?? (place === "local" ? undefined : place);
  return (
    <p class="card-facts row hint">
      {where !== undefined && <span class="chip">{showHidden(where)}</span>}
      <span title={showHidden(dir)}>{shortDir(dir)}</span>
    </p>
  );
}

function Foot({ session }: CardProps) {
  const { queued, model, updated_at, goes_on_at } = session;
  return (
    <p class="card-facts row hint numeric">
      <span class={`state state-${shownState(session)}`}>{stateText(session)}</span>
      {goes_on_at !== undefined && <span class="warn-text">{goesOnText(goes_on_at)}</span>}
      {queued > 0 && <span>{queued} queued</span>}
      <span class={isSpent(session) ? "warn-text" : ""}>{costText(session)}</span>
      {model !== undefined && <span>{model}</span>}
      <Age at={updated_at} />
    </p>
  );
}

/** The actions with a session as a whole. */
function SessionMenu({ session }: { readonly session: SessionInfo }) {
  const app = useApp();
  return (
    <Menu label={`Actions of ${titleText(session.title)}`}>
      {sessionActions(session).map(({ name, label, shortLabel = label, icon, run }) => (
        <Fragment key={name}>
          {name === "delete" && <hr />}
          <MenuItem isDanger={name === "delete"} onSelect={() => run(app, session.id)}>
            <Icon name={icon} /> {shortLabel}
          </MenuItem>
        </Fragment>
      ))}
    </Menu>
  );
}
