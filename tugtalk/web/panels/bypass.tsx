/** Asks whether Claude may do everything without asking. */
import { Dialog } from "../elements/dialog.tsx";
import { useApp } from "../store/app.ts";
import { BYPASS, setMode } from "../store/session-settings.ts";
import type { SessionPanelProps } from "./panel.tsx";

export function Bypass({ session }: SessionPanelProps) {
  const app = useApp();
  const close = () => {
    app.dialog.value = undefined;
  };
  return (
    <Dialog title="Bypass permissions?" class="narrow" onClose={close}>
      <p class="dialog-body">
        Claude will run every command and change every file in this session without asking you.
      </p>
      <div class="dialog-actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            close();
            void setMode(app, session, BYPASS);
          }}
        >
          Bypass permissions
        </button>
      </div>
    </Dialog>
  );
}
