/** The prompts of other sessions, one after the other, over the current view. */
import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { promptName } from "../../client/stores/session-prompt.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Dialog } from "../elements/dialog.tsx";
import { useApp } from "../store/app.ts";
import { formatRoute } from "../store/route.ts";
import { PromptCard } from "./prompt-card.tsx";
import { othersPending } from "./prompt-order.ts";

export function PromptDialog() {
  const { host, session, close } = useApp();
  const pending = useComputed(() => othersPending(host.board.value, session.value?.id));
  const [shown, ...waiting] = pending.value;
  const isDone = shown === undefined;
  useEffect(() => {
    if (isDone) close();
  }, [isDone]);
  if (isDone) return null;
  return (
    <Dialog title="Claude asks">
      <div class="dialog-body">
        <SessionLink sessionId={shown.sessionId} onFollow={close} />
        <PromptCard
          key={promptName(shown)}
          sessionId={shown.sessionId}
          prompt={shown}
          agent={shown.parentToolUseId === undefined ? undefined : "a subagent"}
        />
        {waiting.length > 0 && <p class="muted small">{waiting.length} more</p>}
      </div>
    </Dialog>
  );
}

type SessionLinkProps = { readonly sessionId: string; readonly onFollow: () => void };

/** Which session asks, as the way there. */
function SessionLink({ sessionId, onFollow }: SessionLinkProps) {
  const { host } = useApp();
  const info = host.board.value.sessions.find(({ id }) => id === sessionId);
  return (
    <p class="row">
      <a class="strong" href={formatRoute({ name: "session", id: sessionId })} onClick={onFollow}>
        {showHidden(info?.title || "Session")}
      </a>
      <span class="muted small">{showHidden(info?.dir ?? "")}</span>
    </p>
  );
}
