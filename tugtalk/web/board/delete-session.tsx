/** Asks before a session is deleted, and lists the data that is lost with it. */
import { useSignal } from "@preact/signals";
import type { SessionInfo } from "../../client/host-api.ts";
import { Confirm } from "../elements/confirm.tsx";
import { useApp } from "../store/app.ts";
import { goTo } from "../store/route.ts";
import { isAsleep } from "../store/session-state.ts";
import { titleText } from "../store/title-text.ts";

export function DeleteSession({ session }: { readonly session: SessionInfo }) {
  const { host, close, route, toasts } = useApp();
  const isBusy = useSignal(false);
  const destroy = async () => {
    isBusy.value = true;
    const deleted = await toasts.attempt(host.transport.command("delete", { id: session.id }));
    isBusy.value = false;
    if (deleted === undefined) return;
    close();
    const shown = route.value;
    if (shown.name === "session" && shown.id === session.id) goTo({ name: "board" });
  };
  return (
    <Confirm
      title="Delete session?"
      action={isBusy.value ? "Deleting…" : "Delete"}
      isBusy={isBusy.value}
      onConfirm={() => void destroy()}
    >
      <p class="strong">{titleText(session.title)}</p>
      <Losses session={session} />
    </Confirm>
  );
}

function Losses({ session }: { readonly session: SessionInfo }) {
  const { queued, pending, dir, claude_session_id } = session;
  return (
    <>
      <p>What is lost:</p>
      <ul>
        <li>the transcript that this host keeps, with its receipts</li>
        {queued > 0 && (
          <li>{queued === 1 ? "a message that waits" : `${queued} messages that wait`}</li>
        )}
        {!isAsleep(session) && (
          <li>
            what Claude is doing: it is ended{pending > 0 && ", and its question stays unanswered"}
          </li>
        )}
      </ul>
      <p class="hint">
        Files in {dir} stay as they are, and what it has cost stays in the costs by day.
        {claude_session_id !== undefined &&
          " Claude's own record of the conversation stays too: a new session can continue it."}
      </p>
    </>
  );
}
