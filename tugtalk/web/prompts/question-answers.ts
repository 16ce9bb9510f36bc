/** The answers to questions, from the choices and the texts of a person. Pure. */
import type { Answers } from "../../client/answers.ts";
import { textOf, textsOf } from "../../client/claude-value.ts";
import type { QuestionView } from "../../client/prompt-models.ts";
import type { Draft } from "./prompt-form.ts";

/** The choice for one question. */
export type Choice = {
  readonly labels: readonly string[];
  readonly isOther: boolean;
  readonly other: string;
};

export function choiceOf(draft: Draft, index: number): Choice {
  return {
    labels: textsOf(draft[`labels ${index}`]),
    isOther: draft[`isOther ${index}`] === true,
    other: textOf(draft[`other ${index}`]) ?? "",
  };
}

/** The fields of the draft that keep a choice. */
export function draftOf(index: number, { labels, isOther, other }: Choice): Draft {
  return { [`labels ${index}`]: labels, [`isOther ${index}`]: isOther, [`other ${index}`]: other };
}

/** The choice after a label was clicked. */
export function withLabel(choice: Choice, label: string, isMultiSelect: boolean): Choice {
  if (!isMultiSelect) return { ...choice, labels: [label], isOther: false };
  const { labels } = choice;
  const isChosen = labels.includes(label);
  return {
    ...choice,
    labels: isChosen ? labels.filter((one) => one !== label) : [...labels, label],
  };
}

/** The choice after "Other" was clicked, or its text changed. */
export function withOther(choice: Choice, isOther: boolean, isMultiSelect: boolean): Choice {
  return { ...choice, isOther, labels: isMultiSelect || !isOther ? choice.labels : [] };
}

/** The answers in the order of the options, the free text last. */
function chosenTexts({ options }: QuestionView, choice: Choice): readonly string[] {
  const labels = options.map(({ label }) => label).filter((one) => choice.labels.includes(one));
  const other = choice.other.trim();
  return choice.isOther && other !== "" ? [...labels, other] : labels;
}

/** The first question without an answer, or where "Other" is chosen without a text; -1 without one. */
export function firstUnanswered(questions: readonly QuestionView[], draft: Draft): number {
  return questions.findIndex((question, index) => {
    const choice = choiceOf(draft, index);
    if (choice.isOther && choice.other.trim() === "") return true;
    return chosenTexts(question, choice).length === 0;
  });
}

/** By the text of the question; a list where several may be chosen. */
export function answersOf(questions: readonly QuestionView[], draft: Draft): Answers {
  return Object.fromEntries(
    questions.map((question, index) => {
      const texts = [...chosenTexts(question, choiceOf(draft, index))];
      return [question.question, question.isMultiSelect ? texts : (texts[0] ?? "")];
    }),
  );
}
