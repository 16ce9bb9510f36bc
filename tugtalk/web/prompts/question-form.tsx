/** Questions of Claude, each with its options and room for another answer. */
import { useId } from "preact/hooks";
import { answerQuestions } from "../../client/answers.ts";
import type { QuestionOption, QuestionView } from "../../client/prompt-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { QuestionFormData } from "../../client/web-components.ts";
import { Icon } from "../elements/icon.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Denial } from "./denial.tsx";
import type { PromptActions } from "./prompt-actions.ts";
import {
  answersOf,
  type Choice,
  choiceOf,
  draftOf,
  firstUnanswered,
  withLabel,
  withOther,
} from "./question-answers.ts";

type QuestionFormProps = {
  readonly view: QuestionFormData;
  readonly actions: PromptActions;
};

export function QuestionForm({ view: { questions }, actions }: QuestionFormProps) {
  const { form, request, answer, isDisabled } = actions;
  const draft = form.draft.value;
  const unanswered = firstUnanswered(questions, draft);
  const isReady = questions.length > 0 && unanswered === -1;
  return (
    <form
      class="prompt-form stack"
      onKeyDown={(event) => {
        const { key, target, currentTarget } = event;
        if (key !== "Enter" || isReady || !(target instanceof HTMLInputElement)) return;
        event.preventDefault();
        focusQuestion(currentTarget, unanswered, choiceOf(draft, unanswered).isOther);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isDisabled) answer(answerQuestions(request, answersOf(questions, draft)));
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

/** Enter in one question leads on to the next that is open. */
function focusQuestion(form: HTMLFormElement, index: number, isOther: boolean): void {
  const question = form.querySelectorAll(".prompt-question")[index];
  question?.querySelector<HTMLElement>(isOther ? "input[type=text]" : "input")?.focus();
}

type QuestionProps = {
  readonly question: QuestionView;
  readonly choice: Choice;
  readonly isDisabled: boolean;
  readonly onChange: (choice: Choice) => void;
};

/** One question: radio buttons for one answer, check boxes for several, and a free text. */
function Question({ question, choice, isDisabled, onChange }: QuestionProps) {
  const { header, options, isMultiSelect } = question;
  const name = useId();
  const hasPreviews = options.some(({ preview }) => preview !== undefined);
  const box = { type: isMultiSelect ? "checkbox" : "radio", name } as const;
  return (
    <fieldset class="prompt-question" disabled={isDisabled}>
      <legend>
        {header !== undefined && <span class="chip chip-warn">{showHidden(header)}</span>}
        <span dir="auto">{showHidden(question.question)}</span>
        {isMultiSelect && <span class="question-hint hint">Choose one or more</span>}
      </legend>
      <div class={hasPreviews ? "options options-compared" : "options"}>
        {options.map((option) => (
          <AnswerOption
            key={option.label}
            option={option}
            box={box}
            isChosen={choice.labels.includes(option.label)}
            onChoose={() => onChange(withLabel(choice, option.label, isMultiSelect))}
          />
        ))}
      </div>
      <Other question={question} choice={choice} box={box} onChange={onChange} />
    </fieldset>
  );
}

type Box = { readonly type: "checkbox" | "radio"; readonly name: string };

type AnswerOptionProps = {
  readonly option: QuestionOption;
  readonly box: Box;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

function AnswerOption({ option, box, isChosen, onChoose }: AnswerOptionProps) {
  const { label, description, preview } = option;
  return (
    <label class="option">
      <input {...box} checked={isChosen} onChange={onChoose} />
      <span>
        <strong dir="auto">{showHidden(label)}</strong>
        {description !== undefined && (
          <span class="hint" dir="auto">
            {showHidden(description)}
          </span>
        )}
        {preview !== undefined && (
          <div class="option-preview">
            <Markdown text={showHidden(preview)} isStreaming={false} />
          </div>
        )}
      </span>
    </label>
  );
}

type OtherProps = Omit<QuestionProps, "isDisabled"> & { readonly box: Box };

/** A text is typed at once where there is nothing to choose. */
function Other({ question, choice, box, onChange }: OtherProps) {
  const { isMultiSelect, options } = question;
  const choose = (isOther: boolean, other = choice.other) =>
    onChange({ ...withOther(choice, isOther, isMultiSelect), other });
  return (
    <div class="question-other row">
      {options.length > 0 && (
        <label class="choice">
          <input
            {...box}
            checked={choice.isOther}
            onChange={({ currentTarget }) => choose(currentTarget.checked)}
          />
          <strong>Other</strong>
        </label>
      )}
      <input
        type="text"
        dir="auto"
        aria-label={`Other answer to: ${question.question}`}
        placeholder="Type your answer..."
        value={choice.other}
        onInput={({ currentTarget: { value } }) => choose(value !== "", value)}
      />
    </div>
  );
}
