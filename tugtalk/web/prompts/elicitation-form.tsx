/** The request of an MCP server: a form to fill in, or a page to visit. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { acceptElicitation, refuseElicitation } from "../../client/answers.ts";
import type { ElicitationFormData, FormField } from "../../client/prompt-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { contentOf, fieldValue, problemOf } from "./form-content.ts";
import { Field } from "./form-field.tsx";
import type { PromptActions } from "./prompt-actions.ts";

type ElicitationFormProps = {
  readonly view: ElicitationFormData;
  readonly actions: PromptActions;
};

export function ElicitationForm({ view, actions }: ElicitationFormProps) {
  return (
    <>
      <p dir="auto">{showHidden(view.message)}</p>
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
          onClick={() => actions.answer(acceptElicitation(actions.request))}
        >
          Done
        </button>
      </ElicitationActions>
    </>
  );
}

type ElicitationActionsProps = {
  readonly actions: PromptActions;
  readonly children: ComponentChildren;
};

/** How a form of an MCP server is refused, beside the way to accept it. */
export function ElicitationActions({ actions, children }: ElicitationActionsProps) {
  const { request, answer, isDisabled } = actions;
  return (
    <div class="buttons">
      {children}
      <button
        type="button"
        disabled={isDisabled}
        title="The server is told that you refuse"
        onClick={() => answer(refuseElicitation(request, "decline"))}
      >
        Decline
      </button>
      <button
        type="button"
        class="quiet"
        disabled={isDisabled}
        title="The server is told that you have not decided"
        onClick={() => answer(refuseElicitation(request, "cancel"))}
      >
        Cancel
      </button>
    </div>
  );
}

type ElicitationFieldsProps = {
  readonly fields: readonly FormField[];
  readonly actions: PromptActions;
};

/** The fields of a form of an MCP server. Errors are shown once a person has tried to submit. */
function ElicitationFields({ fields, actions }: ElicitationFieldsProps) {
  const { form, request, answer, isDisabled } = actions;
  const element = useRef<HTMLFormElement>(null);
  const isTried = useSignal(false);
  const draft = form.draft.value;
  const problems = fields.map((field) => problemOf(field, draft));
  const submit = () => {
    isTried.value = true;
    const wrong = problems.findIndex((problem) => problem !== undefined);
    if (wrong !== -1) focusField(element.current, wrong);
    else if (!isDisabled) answer(acceptElicitation(request, contentOf(fields, draft)));
  };
  return (
    <form
      ref={element}
      class="prompt-form stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fields.map((field, index) => (
        <Field
          key={field.name}
          field={field}
          value={fieldValue(field, draft)}
          problem={isTried.value ? problems[index] : undefined}
          isDisabled={form.phase.value !== "open"}
          onChange={(value) => form.set({ [field.name]: value })}
        />
      ))}
      <ElicitationActions actions={actions}>
        <button type="submit" class="primary" disabled={isDisabled}>
          Submit
        </button>
      </ElicitationActions>
    </form>
  );
}

function focusField(form: HTMLFormElement | null, index: number): void {
  const field = form?.querySelectorAll(".field")[index];
  field?.querySelector<HTMLElement>("input, select")?.focus();
}
