/** One session on the board. */
import type { SessionInfo } from "../../client/host-api.ts";
import { Age } from "../elements/age.tsx";
import { memo } from "../elements/memo.tsx";
import { PendingBadge } from "../elements/pending-badge.tsx";
import { formatRoute } from "../store/route.ts";
import { isSpent, shownState, stateText } from "../store/session-state.ts";
import { titleText } from "../store/title-text.ts";
import { SessionMenu } from "./session-menu.tsx";
import { costText, plainText, shortDir } from "./session-text.ts";

type CardProps = { readonly session: SessionInfo };

/** Drawn again only when its own session has changed. */
export const Card = memo(({ session }: CardProps) => {
  const { id, title, pending, last_text, last_error } = session;
  return (
    <li class="card session-card">
      <header class="card-header">
        <h3>
          <a class="card-link" href={formatRoute({ name: "session", id })}>
            {titleText(title)}
          </a>
        </h3>
        <PendingBadge count={pending} />
        <SessionMenu session={session} />
      </header>
      <Where session={session} />
      {last_text !== undefined && <p class="card-words">{plainText(last_text)}</p>}
      {last_error !== undefined && <p class="card-words card-failure">{last_error}</p>}
      <Foot session={session} />
    </li>
  );
});

function Where({ session: { place, dir } }: CardProps) {
  return (
    <p class="card-facts">
      {place !== "local" && <span class="chip">{place}</span>}
      <span title={dir}>{shortDir(dir)}</span>
    </p>
  );
}

function Foot({ session }: CardProps) {
  const { queued, model, updated_at } = session;
  return (
    <p class="card-facts numeric">
      <span class={`state state-${shownState(session)}`}>{stateText(session)}</span>
      {queued > 0 && <span>{queued} queued</span>}
      <span class={isSpent(session) ? "state-spent" : ""}>{costText(session)}</span>
      {model !== undefined && <span>{model}</span>}
      <Age at={updated_at} />
    </p>
  );
}
