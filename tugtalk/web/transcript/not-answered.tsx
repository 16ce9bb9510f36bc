/** A message that was not answered, and the way to send it again. */
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";

type NotAnsweredProps = {
  readonly session: SessionStore;
  readonly text: string;
  /** Why, or that it was not. */
  readonly children: string;
};

export function NotAnswered({ session, text, children }: NotAnsweredProps) {
  const { drafts } = useApp();
  return (
    <p class="not-answered problem">
      {children}
      <button type="button" class="quiet" onClick={() => drafts.giveBack(session.id, text)}>
        Put back into the composer
      </button>
    </p>
  );
}
