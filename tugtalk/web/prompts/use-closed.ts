/** Which prompt of a session was closed last while it was shown. */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { OpenPrompt } from "../../src/messages/prompt-models.ts";
import type { SessionStore } from "../store/session-store.ts";

/** Undefined again once the next prompt is opened, or the next turn begins. */
export function useClosed(session: SessionStore): Signal<OpenPrompt | undefined> {
  const closed = useSignal<OpenPrompt | undefined>(undefined);
  const known = useRef<readonly OpenPrompt[]>([]);
  const turn = useRef<string | undefined>(undefined);
  useSignalEffect(() => {
    const open = session.prompts.value;
    const latest = session.openEntries.value.findLast(({ kind }) => kind === "turn")?.key;
    const isOpen = ({ requestId }: OpenPrompt) => open.some((one) => one.requestId === requestId);
    const isKnown = ({ requestId }: OpenPrompt) =>
      known.current.some((one) => one.requestId === requestId);
    const gone = known.current.findLast((prompt) => !isOpen(prompt));
    if (gone !== undefined) closed.value = gone;
    else if (!open.every(isKnown) || (latest ?? turn.current) !== turn.current)
      closed.value = undefined;
    known.current = open;
    // A notice may stand after the turn, which is then finished.
    turn.current = latest ?? turn.current;
  });
  return closed;
}
