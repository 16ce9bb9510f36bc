/** What became of the prompt that was shown last, where its call in the transcript does not say it at once. */
import { useComputed } from "@preact/signals";
import { viewPrompt } from "../../client/views/prompt-view.ts";
import type { OpenPrompt } from "../../src/messages/prompt-models.ts";
import { Icon } from "../elements/icon.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { AcceptedChanges } from "../tools/accepted-changes.tsx";
import { describeEnd, endOf } from "./closed-prompt.ts";
import { formOf } from "./prompt-form.ts";
import { chipOf, titleOf } from "./prompt-summary.ts";

export type ClosedNoteProps = {
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
    <div class="prompt-closed card">
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
