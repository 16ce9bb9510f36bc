/** A dialog of Claude of a kind that the page has no drawing for. */
import { showHidden } from "../../client/views/visible-text.ts";
import type { DialogData } from "../../src/messages/prompt-models.ts";
import type { PromptActions } from "./prompt-actions.ts";

export type DialogFormProps = { readonly view: DialogData; readonly actions: PromptActions };

export function DialogForm({ view: { fields, dialogKind }, actions }: DialogFormProps) {
  const { answer, isDisabled } = actions;
  return (
    <>
      <p class="prompt-message">
        Claude opens a dialog of the kind <code>{showHidden(dialogKind)}</code>.
      </p>
      <dl class="facts">
        {fields.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={isDisabled}
          onClick={() => answer("dialog", { behavior: "completed" })}
        >
          Complete
        </button>
        <button
          type="button"
          disabled={isDisabled}
          onClick={() => answer("dialog", { behavior: "cancelled" })}
        >
          Cancel
        </button>
      </div>
    </>
  );
}
