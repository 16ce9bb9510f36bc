/** Questions of Claude's with the answers that a person gave, one line each. */
import type { NamedText, QuestionView } from "../../src/messages/prompt-models.ts";
import { Icon } from "../elements/icon.tsx";

export type AnswerLinesProps = {
  readonly answers: readonly NamedText[];
  /** For their chips. */
  readonly questions: readonly QuestionView[];
};

export function AnswerLines({ answers, questions }: AnswerLinesProps) {
  return (
    <ul class="answer-lines">
      {answers.map(({ name, text }) => (
        <li key={name} title={name}>
          <Icon name="check" label="Answered" />
          <span class="chip">{headerOf(name, questions)}</span>
          <span>{`Selected: "${text}"`}</span>
        </li>
      ))}
    </ul>
  );
}

/** A question without a chip is named itself. */
function headerOf(question: string, questions: readonly QuestionView[]): string {
  return questions.find((one) => one.question === question)?.header ?? question;
}
