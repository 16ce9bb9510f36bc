/** A message that Claude has not read, which waits to be taken back. */
import type { QueuedMessage } from "../../client/reduced-session.ts";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import { discard, takeBack } from "../store/returned.ts";
import type { SessionStore } from "../store/session-store.ts";
import { firstClick } from "./first-click.ts";

type ReturnedRowProps = { readonly session: SessionStore; readonly message: QueuedMessage };

export function ReturnedRow({ session, message }: ReturnedRowProps) {
  const app = useApp();
  const { messageId, text = "", files = [] } = message;
  return (
    <>
      <span class="waiting-text" title={text}>
        {`Not read by Claude: "${text}"`}
        {files.length > 0 && <span class="waiting-files"> with {files.join(", ")}</span>}
      </span>
      <span class="waiting-actions">
        <button
          type="button"
          class="quiet"
          onClick={firstClick(() => void takeBack(app, session, messageId))}
        >
          Put back into the composer
        </button>
        <button
          type="button"
          class="icon-button"
          title="Discard"
          aria-label="Discard returned message"
          onClick={firstClick(() => void discard(app, session, { messageId, text }))}
        >
          <Icon name="cross" />
        </button>
      </span>
    </>
  );
}
