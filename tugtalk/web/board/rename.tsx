/** The dialog that gives a session another title. */
import { useSignal } from "@preact/signals";
import type { SessionInfo } from "../../client/host-api.ts";
import { Dialog } from "../elements/dialog.tsx";
import { TextField } from "../elements/text-field.tsx";
import { useApp } from "../store/app.ts";
import { useSubject } from "../store/session-info.ts";

export function Rename() {
  const session = useSubject().value;
  return session === undefined ? null : <RenameForm session={session} />;
}

function RenameForm({ session: { id, title } }: { readonly session: SessionInfo }) {
  const { host, dialog, toasts } = useApp();
  const text = useSignal(title);
  const close = () => {
    dialog.value = undefined;
  };
  const rename = async () => {
    try {
      await host.transport.command("update", { id, title: text.value });
      close();
    } catch (error) {
      toasts.fail(error);
    }
  };
  return (
    <Dialog title="Rename session" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <div class="dialog-body">
          <TextField label="Title" text={text} maxLength={500} />
        </div>
        <footer class="dialog-actions">
          <button type="submit" class="primary" disabled={text.value.trim() === ""}>
            Rename
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
