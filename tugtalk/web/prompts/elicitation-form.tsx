/** What an MCP server asks: a form to fill in, or a page to visit. */
import { showHidden } from "../../client/views/visible-text.ts";
import type { ElicitationFormData } from "../../src/messages/prompt-models.ts";
import type { Asked } from "./asked.ts";
import { ElicitationActions } from "./elicitation-actions.tsx";
import { ElicitationFields } from "./elicitation-fields.tsx";

export type ElicitationFormProps = { readonly view: ElicitationFormData; readonly asked: Asked };

export function ElicitationForm({ view, asked }: ElicitationFormProps) {
  return (
    <>
      <p class="prompt-message">{showHidden(view.message)}</p>
      {view.mode === "url" ? (
        <Visit url={view.url ?? ""} asked={asked} />
      ) : (
        <ElicitationFields fields={view.fields} asked={asked} />
      )}
    </>
  );
}

/** The address is shown exactly; only one of the web can be opened. */
function Visit({ url, asked }: { readonly url: string; readonly asked: Asked }) {
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
      <ElicitationActions asked={asked}>
        <button
          type="button"
          class="primary"
          disabled={asked.isDisabled}
          onClick={() => asked.answer("elicitation", { action: "accept" })}
        >
          Done
        </button>
      </ElicitationActions>
    </>
  );
}
