/** What an MCP server asks: a form to fill in, or a page to visit. */
import { showHidden } from "../../client/views/visible-text.ts";
import type { ElicitationFormData } from "../../src/messages/prompt-models.ts";
import { ElicitationActions } from "./elicitation-actions.tsx";
import { ElicitationFields } from "./elicitation-fields.tsx";
import type { PromptActions } from "./prompt-actions.ts";

export type ElicitationFormProps = {
  readonly view: ElicitationFormData;
  readonly actions: PromptActions;
};

export function ElicitationForm({ view, actions }: ElicitationFormProps) {
  return (
    <>
      <p class="prompt-message">{showHidden(view.message)}</p>
      {view.mode === "url" ? (
        <Visit url={view.url ?? ""} actions={actions} />
      ) : (
        <ElicitationFields fields={view.fields} actions={actions} />
      )}
    </>
  );
}

/** The address is shown exactly; only one of the web can be opened. */
function Visit({ url, actions }: { readonly url: string; readonly actions: PromptActions }) {
  return (
    <>
      <pre class="prompt-address">{showHidden(url)}</pre>
      {/^https?:\/\//i.test(url) && (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer">
            Open this page
          </a>
        </p>
      )}
      <ElicitationActions actions={actions}>
        <button
          type="button"
          class="primary"
          disabled={actions.isDisabled}
          onClick={() => actions.answer("elicitation", { action: "accept" })}
        >
          Done
        </button>
      </ElicitationActions>
    </>
  );
}
