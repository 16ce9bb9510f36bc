/** Changes the text of a message in the queue, where it stands. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { QueuedMessage } from "../../client/reduced-session.ts";
import { focusMessageField } from "../elements/message-field.ts";
import { isSendKey } from "../elements/send-key.ts";
import { useApp } from "../store/app.ts";
import type { SessionStore } from "../store/session-store.ts";

type QueuedEditorProps = {
  readonly session: SessionStore;
  readonly message: QueuedMessage;
  readonly onClose: () => void;
};

export function QueuedEditor({ session, message, onClose }: QueuedEditorProps) {
  const { toasts } = useApp();
  const field = useRef<HTMLTextAreaElement>(null);
  const unsaved = useUnsaved(session);
  const save = async () => {
    const text = field.current?.value ?? "";
    unsaved.current = undefined;
    const fields = { message_id: message.messageId, message: text };
    const saved = await toasts.attempt(session.command("edit_queued", fields));
    if (saved !== undefined) onClose();
    else unsaved.current = text;
  };
  const cancel = () => {
    unsaved.current = undefined;
    onClose();
  };
  // At once: Escape would stop the turn. The caret is where a person goes on.
  useLayoutEffect(() => {
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
    const row = current?.closest("li");
    return () => {
      if (row?.matches(":focus-within") === true) focusMessageField();
    };
  }, []);
  return (
    <li class="waiting-row row">
      <textarea
        ref={field}
        class="composer-field"
        aria-label="Queued message"
        dir="auto"
        rows={1}
        defaultValue={message.text ?? ""}
        onInput={({ currentTarget }) => {
          unsaved.current = currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (isSendKey(event)) void save();
          else if (event.key === "Escape" && !event.isComposing) cancel();
          else return;
          event.preventDefault();
        }}
      />
      <span class="waiting-actions">
        <button type="button" onClick={() => void save()}>
          Save
        </button>
        <button type="button" class="quiet" onClick={cancel}>
          Cancel
        </button>
      </span>
    </li>
  );
}

/** A change to a message that was sent or dropped meanwhile goes into the composer. */
function useUnsaved(session: SessionStore) {
  const { drafts } = useApp();
  const unsaved = useRef<string | undefined>(undefined);
  useEffect(
    () => () => {
      if (unsaved.current !== undefined) drafts.giveBack(session.id, unsaved.current);
    },
    [drafts, session],
  );
  return unsaved;
}
