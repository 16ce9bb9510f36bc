/** The outcome of the prompt that was shown last, where its call in the transcript does not say it at once. */
import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { allItems } from "../../client/agent-items.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { ToolItem, ToolPermission, TranscriptEntry } from "../../client/transcript-models.ts";
import { viewPrompt } from "../../client/views/prompt-view.ts";
import { Icon } from "../elements/icon.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { AcceptedChanges } from "../tools/accepted-changes.tsx";
import { receiptText } from "../tools/receipt-text.ts";
import { formOf } from "./prompt-form.ts";
import { chipOf, titleOf } from "./prompt-summary.ts";

type ClosedNoteProps = {
  readonly session: SessionStore;
  readonly prompt: OpenPrompt;
  readonly onDismiss: () => void;
};

export function ClosedNote({ session, prompt, onDismiss }: ClosedNoteProps) {
  const { phase, problem } = formOf(session.id, prompt.requestId);
  const ended = useComputed(
    () => endOf(prompt, session.openEntries.value) ?? endOf(prompt, session.entries.value),
  );
  const end = ended.value;
  const view = viewPrompt(prompt, session.mcpServers.value);
  const isAnsweredHere =
    phase.value !== "open" && problem.value === undefined && end?.outcome !== "cancelled";
  // The calls of an agent are folded away.
  const changes = prompt.parentToolUseId === undefined ? undefined : end?.updatedPermissions;
  if (isAnsweredHere && changes === undefined) return null;
  return (
    <div class="prompt-closed line small card">
      <div>
        {!isAnsweredHere && (
          <p>
            <span class="chip">{chipOf(view) ?? titleOf(view)}</span> {describeEnd(end)}
          </p>
        )}
        {changes && <AcceptedChanges permission={end} servers={session.mcpServers.value} />}
      </div>
      <button type="button" class="icon-button" aria-label="Dismiss" onClick={onDismiss}>
        <Icon name="cross" />
      </button>
    </div>
  );
}

/**
 * How it ended, as the tool call that asked has it; undefined for a prompt without one. The latest of
 * `entries` are looked at first.
 */
export function endOf(
  { requestId, toolUseId }: OpenPrompt,
  entries: readonly TranscriptEntry[],
): ToolPermission | undefined {
  if (toolUseId === undefined) return undefined;
  const entry = entries.findLast((one) => callIn(one, toolUseId) !== undefined);
  const permission = entry && callIn(entry, toolUseId)?.permission;
  return permission?.requestId === requestId ? permission : undefined;
}

function callIn(entry: TranscriptEntry, toolUseId: string): ToolItem | undefined {
  for (const item of allItems(entry))
    if (item.kind === "tool" && item.toolUseId === toolUseId) return item;
  return undefined;
}

/** One sentence without a full stop about a prompt that was not answered here. */
export function describeEnd(end: ToolPermission | undefined): string {
  if (end === undefined) return "Closed: it was answered elsewhere, or taken back";
  const { at: _at, ...ended } = end;
  const isFromElsewhere = end.outcome !== "cancelled" && end.by === undefined;
  return `${receiptText(ended)}${isFromElsewhere ? " elsewhere" : ""}`;
}

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
