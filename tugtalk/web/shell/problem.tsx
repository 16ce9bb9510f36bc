/** Why a session cannot go on, and what a person can do about it. */
import { useComputed } from "@preact/signals";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";

export function Problem({ session }: { readonly session: SessionStore }) {
  const { host } = useApp();
  const error = useComputed(
    () => host.board.value.sessions.find(({ id }) => id === session.id)?.last_error,
  );
  const isLost = session.status.value === "disconnected";
  return (
    <div class="session-problem" role="status">
      <p class="strip strip-bad">
        <Icon name="warning" />
        <span class="grow">
          <strong>
            {isLost ? "The connection with its place is lost." : "Claude did not start."}
          </strong>{" "}
          {error.value !== undefined && `${sentence(error.value)} `}
          {isLost ? "It is continued as soon as it is safe." : "A message tries again."}
        </span>
      </p>
    </div>
  );
}

/** Some reasons end with a full stop, and others do not. */
function sentence(words: string): string {
  return words.replace(/(?<![.!?\s])\s*$/, ".");
}
