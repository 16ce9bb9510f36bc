/** The view in place of a conversation that has not begun: the possible actions. */
import type { ComponentChildren } from "preact";
import { IS_TOUCH } from "../elements/is-touch.ts";
import { KeyView } from "../elements/key-view.tsx";
import { useSessionInfo } from "../store/session-info.ts";
import type { SessionStore } from "../store/session-store.ts";

type BeginningProps = { readonly session: SessionStore };

export function Beginning({ session }: BeginningProps) {
  const place = useSessionInfo(session).value?.place;
  if (!mayBegin(session)) return null;
  return (
    <div class="beginning">
      <h2>What should Claude do?</h2>
      <ul class="stack">
        {place === "local" && <Way keys="@">names a file of the folder</Way>}
        <Way keys="/">begins a command of Claude Code</Way>
        {!IS_TOUCH && <Way keys="Shift+Tab">changes what Claude may do without asking</Way>}
        {!IS_TOUCH && <Way keys="Ctrl+k">finds everything else on this page</Way>}
        <li class="muted">
          {IS_TOUCH
            ? "The clip attaches pictures and files."
            : "Pictures and files can be pasted or dropped."}
        </li>
      </ul>
    </div>
  );
}

/** Nothing is on its way, and nothing stands in its way. */
function mayBegin({ status, queue }: SessionStore): boolean {
  return (status.value === "idle" || status.value === "starting") && queue.value.length === 0;
}

function Way({ keys, children }: { readonly keys: string; readonly children: ComponentChildren }) {
  return (
    <li class="line">
      <KeyView keys={keys} />
      <span class="muted">{children}</span>
    </li>
  );
}
