/** The fields of a form of an MCP server. What is wrong is told once a person has tried to submit. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { FormField } from "../../src/messages/prompt-models.ts";
import { ElicitationActions } from "./elicitation-actions.tsx";
import { contentOf, fieldValue, problemOf } from "./form-content.ts";
import { Field } from "./form-field.tsx";
import type { PromptActions } from "./prompt-actions.ts";

export type ElicitationFieldsProps = {
  readonly fields: readonly FormField[];
  readonly actions: PromptActions;
};

export function ElicitationFields({ fields, actions }: ElicitationFieldsProps) {
  const { form, answer, isDisabled } = actions;
  const element = useRef<HTMLFormElement>(null);
  const isTried = useSignal(false);
  const draft = form.draft.value;
  const problems = fields.map((field) => problemOf(field, draft));
  const submit = () => {
    isTried.value = true;
    const wrong = problems.findIndex((problem) => problem !== undefined);
    if (wrong !== -1) focusField(element.current, wrong);
    else if (!isDisabled)
      answer("elicitation", { action: "accept", content: contentOf(fields, draft) });
  };
  return (
    <form
      ref={element}
      class="prompt-form"
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
