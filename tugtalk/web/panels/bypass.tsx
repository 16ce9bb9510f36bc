/** Asks whether Claude may do everything without asking. */
import { Confirm } from "../elements/confirm.tsx";
import { useApp } from "../store/app.ts";
import { BYPASS } from "../store/bypass.ts";
import { setMode } from "../store/session-settings.ts";
import type { SessionPanelProps } from "./panel.tsx";

export function Bypass({ session }: SessionPanelProps) {
  const app = useApp();
  const bypass = () => {
    app.close();
    void setMode(app, session, BYPASS);
  };
  return (
    <Confirm
      title="Bypass permissions?"
      class="narrow"
      action="Bypass permissions"
      onConfirm={bypass}
    >
      <p>Claude will run every command and change every file in this session without asking you.</p>
    </Confirm>
  );
}
