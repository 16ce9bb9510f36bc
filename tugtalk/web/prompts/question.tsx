/** One question: radio buttons for one answer, check boxes for several, and a free text. */
import { useId } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import type { QuestionOption, QuestionView } from "../../src/messages/prompt-models.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { type Choice, withLabel, withOther } from "./question-answers.ts";

export type QuestionProps = {
  readonly question: QuestionView;
  readonly choice: Choice;
  readonly isDisabled: boolean;
  readonly onChange: (choice: Choice) => void;
};

export function Question({ question, choice, isDisabled, onChange }: QuestionProps) {
  const { header, options, isMultiSelect } = question;
  const name = useId();
  const hasPreviews = options.some(({ preview }) => preview !== undefined);
  const box = { type: isMultiSelect ? "checkbox" : "radio", name } as const;
  return (
    <fieldset class="prompt-question" disabled={isDisabled}>
      <legend>
        {header !== undefined && <span class="chip chip-warn">{showHidden(header)}</span>}
        {showHidden(question.question)}
        {isMultiSelect && <span class="question-hint">Choose one or more</span>}
      </legend>
      <div class={hasPreviews ? "options options-compared" : "options"}>
        {options.map((option) => (
          <Option
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

type OptionProps = {
  readonly option: QuestionOption;
  readonly box: Box;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

function Option({ option, box, isChosen, onChoose }: OptionProps) {
  const { label, description, preview } = option;
  return (
    <label class="option">
      <input {...box} checked={isChosen} onChange={onChoose} />
      <span>
        <strong>{showHidden(label)}</strong>
        {description !== undefined && <span class="option-text">{showHidden(description)}</span>}
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
    <div class="question-other">
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
        aria-label={`Other answer to: ${question.question}`}
        placeholder="Type your answer..."
        value={choice.other}
        onInput={({ currentTarget: { value } }) => choose(value !== "", value)}
      />
    </div>
  );
}
