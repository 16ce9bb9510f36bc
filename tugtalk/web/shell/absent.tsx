/** The address names a session that the host does not have. A person's draft there is not lost. */
import { showHidden } from "../../client/views/visible-text.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { useApp } from "../store/app.ts";

export function Absent({ sessionId }: { readonly sessionId: string }) {
  const { value: written } = useApp().drafts.of(sessionId).text;
  return (
    <main class="session">
      <div class="empty absent">
        <h1>There is no such session</h1>
        <p>It was deleted, or the address belongs to another host.</p>
        {written !== "" && (
          <>
            <p class="clamp" dir="auto">
              {showHidden(written)}
            </p>
            <CopyButton text={written} label="Copy what you were writing" isNamed />
          </>
        )}
        <p>
          <a href="#/" class="button">
            All sessions
          </a>
        </p>
      </div>
    </main>
  );
}
