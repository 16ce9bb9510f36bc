/** Asks before a session is deleted, and says what is lost with it. */
import { useSignal } from "@preact/signals";
import type { SessionInfo } from "../../client/host-api.ts";
import { Dialog } from "../elements/dialog.tsx";
import { useApp } from "../store/app.ts";
import { goTo } from "../store/route.ts";
import { useSubject } from "../store/session-info.ts";
import { columnOf } from "../store/session-state.ts";
import { titleText } from "../store/title-text.ts";

export function DeleteSession() {
  const session = useSubject().value;
  return session === undefined ? null : <DeleteQuestion session={session} />;
}

function DeleteQuestion({ session }: { readonly session: SessionInfo }) {
  const { host, dialog, route, toasts } = useApp();
  const isBusy = useSignal(false);
  const close = () => {
    dialog.value = undefined;
  };
  const destroy = async () => {
    isBusy.value = true;
    try {
      await host.transport.command("delete", { id: session.id });
      close();
      const shown = route.value;
      if (shown.name === "session" && shown.id === session.id) goTo({ name: "board" });
    } catch (error) {
      isBusy.value = false;
      toasts.fail(error);
    }
  };
  return (
    <Dialog title="Delete session?" onClose={close}>
      <div class="dialog-body">
        <p class="strong">{titleText(session.title)}</p>
        <Losses session={session} />
      </div>
      <footer class="dialog-actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="danger" disabled={isBusy.value} onClick={() => void destroy()}>
          {isBusy.value ? "Deleting…" : "Delete"}
        </button>
      </footer>
    </Dialog>
  );
}

function Losses({ session }: { readonly session: SessionInfo }) {
  const { queued, pending, dir, claude_session_id } = session;
  return (
    <>
      <p>What is lost:</p>
      <ul>
        <li>the transcript that this host keeps, with its costs and receipts</li>
        {queued > 0 && (
          <li>{queued === 1 ? "a message that waits" : `${queued} messages that wait`}</li>
        )}
        {columnOf(session) !== "ended" && (
          <li>
            what Claude is doing: it is ended{pending > 0 && ", and its question stays unanswered"}
          </li>
        )}
      </ul>
      <p class="hint">
        Files in {dir} stay as they are.
        {claude_session_id !== undefined &&
          " Claude's own record of the conversation stays too: a new session can continue it."}
      </p>
    </>
  );
}
