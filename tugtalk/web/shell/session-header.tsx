/** The head of a session: its title, folder and state, and the ways to its panels. */

import { showHidden } from "../../client/views/visible-text.ts";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import { useSessionInfo } from "../store/session-info.ts";
import type { SessionStore } from "../store/session-store.ts";
import { titleText } from "../store/title-text.ts";
import { HeaderTools } from "./header-tools.tsx";

type HeaderProps = { readonly session: SessionStore };

export function SessionHeader({ session }: HeaderProps) {
  return (
    <header class="session-header line">
      <a href="#/" class="icon-button" aria-label="All sessions" title="All sessions">
        <Icon name="arrow-left" />
      </a>
      <Title session={session} />
      <HeaderTools session={session} />
    </header>
  );
}

function Title({ session }: HeaderProps) {
  const { open } = useApp();
  const { title, dir, place } = useSessionInfo(session).value ?? {};
  const folder = showHidden(dir ?? "");
  return (
    <div class="session-title">
      <h1>
        <button
          type="button"
          class="quiet truncate"
          dir="auto"
          title="Rename"
          onClick={() => open("rename")}
        >
          {titleText(title ?? "")}
        </button>
      </h1>
      <p class="session-folder line tight muted">
        {place !== undefined && place !== "local" && <span class="chip">{place}</span>}
        <span class="truncate" title={folder}>
          <bdi dir="ltr">{folder}</bdi>
        </span>
      </p>
    </div>
  );
}
