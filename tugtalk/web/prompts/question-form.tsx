/** Questions of Claude, each with its options and room for another answer. */
import type { QuestionFormData } from "../../src/web-components.ts";
import { Icon } from "../elements/icon.tsx";
import { Denial } from "./denial.tsx";
import type { PromptActions } from "./prompt-actions.ts";
import { Question } from "./question.tsx";
import { answersOf, choiceOf, draftOf, isComplete } from "./question-answers.ts";

export type QuestionFormProps = {
  readonly view: QuestionFormData;
  readonly actions: PromptActions;
};

export function QuestionForm({ view: { questions }, actions }: QuestionFormProps) {
  const { form, answer, isDisabled } = actions;
  const draft = form.draft.value;
  const isReady = questions.length > 0 && isComplete(questions, draft);
  return (
    <form
      class="prompt-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isDisabled) answer("answer", { answers: answersOf(questions, draft) });
      }}
    >
      {questions.length === 0 && <p>Claude has sent no question that can be shown.</p>}
      {questions.map((question, index) => (
        <Question
          key={question.question}
          question={question}
          choice={choiceOf(draft, index)}
          isDisabled={form.phase.value !== "open"}
          onChange={(choice) => form.set(draftOf(index, choice))}
        />
      ))}
      <Denial actions={actions}>
        {questions.length > 0 && (
          <button type="submit" class="primary" disabled={isDisabled || !isReady}>
            <Icon name="check" /> Submit Answers
          </button>
        )}
      </Denial>
    </form>
  );
}
