/** A message in the host's queue, which can still be changed, dropped or sent now. */
import { useSignal } from "@preact/signals";
import type { HostCommand } from "../../client/host-routes.ts";
import type { QueuedMessage } from "../../client/reduced-session.ts";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";
import { isInterruptible } from "../store/stop-action.ts";
import { firstClick } from "./first-click.ts";
import { QueuedEditor } from "./queued-editor.tsx";

export type QueuedRowProps = {
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
  const { text = "", files = [] } = message;
  return (
    <li class="waiting-row">
      <span class="waiting-text" title={text}>
        {`Message queued: "${text}"`}
        {files.length > 0 && <span class="waiting-files"> with {files.join(", ")}</span>}
      </span>
      <span class="waiting-actions">
        <SendButtons session={session} message={message} isFirst={isFirst} />
        <button
          type="button"
          class="icon-button"
          title="Edit"
          aria-label="Edit queued message"
          onClick={() => {
            isEdited.value = true;
          }}
        >
          <Icon name="edit" />
        </button>
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
        title="Claude reads it after its next step, in the turn that runs"
        onClick={firstClick(() => run("send_queued", { delivery: "steer" }))}
      >
        Send now
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
    <button
      type="button"
      class="icon-button"
      title="Drop"
      aria-label="Drop queued message"
      onClick={firstClick(drop)}
    >
      <Icon name="cross" />
    </button>
  );
}

function useQueueCommand(session: SessionStore, { messageId }: QueuedMessage) {
  const { toasts } = useApp();
  return (command: HostCommand, fields: { readonly delivery?: "steer" } = {}) => {
    session
      .command(command, { message_id: messageId, ...fields })
      .catch((error: unknown) => toasts.fail(error));
  };
}
