/** A message in the host's queue, which can still be changed, dropped or sent now. */
import { useSignal } from "@preact/signals";
import type { QueuedMessage } from "../../client/reduced-session.ts";
import { leaveButton } from "../elements/focus-main.ts";
import { IconButton } from "../elements/icon-button.tsx";
import { useApp } from "../store/app.ts";
import { discard, takeBack } from "../store/returned.ts";
import type { SessionStore } from "../store/session-store.ts";
import { isInterruptible } from "../store/stop-action.ts";
import { QueuedEditor } from "./queued-editor.tsx";

type QueuedRowProps = {
  readonly session: SessionStore;
  readonly message: QueuedMessage;
  /** It is the next one. */
  readonly isFirst: boolean;
};

export function QueuedRow({ session, message, isFirst }: QueuedRowProps) {
  const isEdited = useSignal(false);
  const close = () => {
    isEdited.value = false;
  };
  if (isEdited.value) return <QueuedEditor session={session} message={message} onClose={close} />;
  return (
    <li class="waiting-row row">
      <MessageText label="Message queued" message={message} />
      <span class="waiting-actions">
        <SendButtons session={session} message={message} isFirst={isFirst} />
        <IconButton
          icon="edit"
          label="Edit queued message"
          title="Edit"
          onClick={() => {
            isEdited.value = true;
          }}
        />
        <DropButton session={session} message={message} />
      </span>
    </li>
  );
}

function SendButtons({ session, message, isFirst }: QueuedRowProps) {
  const run = useQueueCommand(session, message);
  if (!isInterruptible(session.state.value))
    return (
      <button type="button" class="quiet" onClick={firstClick(() => run("send_queued"))}>
        Send now
      </button>
    );
  return (
    <>
      {!isFirst && (
        <button type="button" class="quiet" onClick={firstClick(() => run("send_queued"))}>
          Send next
        </button>
      )}
      <button
        type="button"
        class="quiet"
        title="Claude reads it after its next step, and goes on"
        onClick={firstClick(() => run("send_queued", { delivery: "steer" }))}
      >
        Add to this turn
      </button>
      <button
        type="button"
        class="quiet"
        title="Ends this turn, and begins the next one with it"
        onClick={firstClick(() => run("send_queued", { delivery: "now" }))}
      >
        Stop and send
      </button>
    </>
  );
}

function DropButton({ session, message }: Omit<QueuedRowProps, "isFirst">) {
  const { drafts } = useApp();
  const run = useQueueCommand(session, message);
  const drop = () => {
    const { recent } = drafts.of(session.id);
    recent.value = [...recent.value, message.text ?? ""];
    run("delete_queued");
  };
  return (
    <IconButton icon="cross" label="Drop queued message" title="Drop" onClick={firstClick(drop)} />
  );
}

function useQueueCommand(session: SessionStore, { messageId }: QueuedMessage) {
  const { toasts } = useApp();
  return (
    command: "delete_queued" | "send_queued",
    fields: { readonly delivery?: "steer" | "now" } = {},
  ) => void toasts.attempt(session.command(command, { message_id: messageId, ...fields }));
}

/** The second click of a double click would be for the row that has moved to this place. The button goes with its row. */
function firstClick(run: () => void) {
  return ({ detail }: MouseEvent) => {
    if (detail >= 2) return;
    leaveButton();
    run();
  };
}

type ReturnedRowProps = { readonly session: SessionStore; readonly message: QueuedMessage };

/** A message that Claude has not read, which waits to be taken back. */
export function ReturnedRow({ session, message }: ReturnedRowProps) {
  const app = useApp();
  const { messageId, text = "" } = message;
  return (
    <>
      <MessageText label="Not read by Claude" message={message} />
      <span class="waiting-actions">
        <button
          type="button"
          class="quiet"
          onClick={firstClick(() => void takeBack(app, session, messageId))}
        >
          Put back into the composer
        </button>
        <IconButton
          icon="cross"
          label="Discard returned message"
          title="Discard"
          onClick={firstClick(() => void discard(app, session, { messageId, text }))}
        />
      </span>
    </>
  );
}

type TextProps = { readonly label: string; readonly message: QueuedMessage };

function MessageText({ label, message: { text = "", files = [] } }: TextProps) {
  return (
    <span class="waiting-text clamp" title={text}>
      {label}: "<bdi>{text}</bdi>"
      {files.length > 0 && <span class="muted"> with {files.join(", ")}</span>}
    </span>
  );
}
