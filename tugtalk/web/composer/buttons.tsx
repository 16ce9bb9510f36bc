/** The buttons of the composer. */
import { useComputed } from "@preact/signals";
import { Icon } from "../elements/icon.tsx";
import { lazy, withCode } from "../elements/lazy.tsx";
import { useApp } from "../store/app.ts";
import type { Draft } from "../store/drafts.ts";
import { isLost } from "../store/host-store.ts";
import type { SessionStore } from "../store/session-store.ts";
import { isInterruptible, stopAction } from "../store/stop-action.ts";

const SendNowButton = lazy(async () => (await import("./send-now-button.tsx")).SendNowButton);

type StopProps = { readonly session: SessionStore; readonly draft: Draft };

type ButtonsProps = StopProps & { readonly sendNow: () => void };

export function Buttons({ session, draft, sendNow }: ButtonsProps) {
  const app = useApp();
  const isBlank = useComputed(
    () => draft.text.value.trim() === "" && draft.attachments.value.length === 0,
  );
  const isReplacing = useComputed(() => !isBlank.value && isInterruptible(session.state.value));
  const isConnected = app.host.status.value === "connected";
  const attach = () =>
    withCode(
      app,
      () => import("./attach-files.ts"),
      (code) => code.pickFiles(app, session.id),
    );
  return (
    <div class="composer-buttons line tight">
      <button
        type="button"
        class="icon-button"
        title="Attach files"
        aria-label="Attach files"
        onClick={attach}
      >
        <Icon name="paperclip" />
      </button>
      <StopButton session={session} draft={draft} />
      {isConnected && isReplacing.value && <SendNowButton sendNow={sendNow} />}
      <button
        type="submit"
        class="primary"
        title={isConnected ? "Send message" : "Not connected"}
        aria-label="Send message"
        disabled={isBlank.value || !isConnected}
      >
        <Icon name="send" />
      </button>
    </div>
  );
}

function StopButton({ session, draft }: StopProps) {
  const app = useApp();
  const { value: action } = useComputed(() =>
    // Without a connection, nothing is on its way.
    stopAction(session.state.value, !isLost(app.host) && draft.unanswered.value.length > 0),
  );
  if (action === "none") return null;
  return (
    <button
      type="button"
      class="stop-button"
      title="Stop (Esc)"
      aria-label={action === "offer" ? "Stop background work" : "Stop"}
      onClick={() =>
        withCode(
          app,
          () => import("../store/stop.ts"),
          (code) => code.stop(app, session),
        )
      }
    >
      <Icon name="stop" />
    </button>
  );
}
