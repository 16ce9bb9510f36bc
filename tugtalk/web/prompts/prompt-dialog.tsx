/** The prompts of other sessions, one after the other, over whatever is shown. */
import { useComputed } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { PendingPrompt } from "../../client/host-api.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Dialog } from "../elements/dialog.tsx";
import { useApp } from "../store/app.ts";
import { formatRoute } from "../store/route.ts";
import { fromPending } from "./open-prompt.ts";
import { othersPending } from "./others.ts";
import { PromptCard } from "./prompt-card.tsx";

export function PromptDialog() {
  const { host, session, dialog } = useApp();
  const pending = useComputed(() => othersPending(host.board.value, session.value?.id));
  const [shown, ...waiting] = pending.value;
  const close = () => {
    dialog.value = undefined;
  };
  const isDone = shown === undefined;
  useEffect(() => {
    if (isDone) close();
  }, [isDone]);
  if (isDone) return null;
  return (
    <Dialog title="Claude asks" onClose={close}>
      <div class="dialog-body">
        <SessionLink sessionId={shown.sessionId} onFollow={close} />
        <Card key={`${shown.sessionId} ${shown.requestId}`} pending={shown} />
        {waiting.length > 0 && <p class="muted small">{waiting.length} more</p>}
      </div>
    </Dialog>
  );
}

function Card({ pending }: { readonly pending: PendingPrompt }) {
  const prompt = useMemo(() => fromPending(pending), [pending]);
  const agent = pending.parentToolUseId === undefined ? undefined : "a subagent";
  return <PromptCard sessionId={pending.sessionId} prompt={prompt} agent={agent} />;
}

type SessionLinkProps = { readonly sessionId: string; readonly onFollow: () => void };

/** Which session asks, as the way there. */
function SessionLink({ sessionId, onFollow }: SessionLinkProps) {
  const { host } = useApp();
  const info = host.board.value.sessions.find(({ id }) => id === sessionId);
  return (
    <p class="prompt-place">
      <a class="strong" href={formatRoute({ name: "session", id: sessionId })} onClick={onFollow}>
        {showHidden(info?.title || "Session")}
      </a>
      <span class="muted small">{showHidden(info?.dir ?? "")}</span>
    </p>
  );
}
