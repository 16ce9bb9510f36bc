/** The questions of AskUserQuestion. Pure. */

import { type Fields, filledText, objectsOf, present, textOf } from "../claude-value.ts";
import type { QuestionView } from "../prompt-models.ts";

/**
 * The questions of `input.questions` of a prompt. A question without a text, and an option without a label,
 * cannot be answered.
 */
export function viewQuestions(questions: unknown): QuestionView[] {
  return objectsOf(questions).flatMap(viewQuestion);
}

function viewQuestion({ question, header, multiSelect, options }: Fields): QuestionView[] {
  const text = textOf(question);
  if (text === undefined) return [];
  return [
    {
      question: text,
      ...present({ header: filledText(header) }),
      isMultiSelect: multiSelect === true,
      options: objectsOf(options).flatMap(viewOption),
    },
  ];
}

function viewOption({ label, description, preview }: Fields): QuestionView["options"] {
  const text = textOf(label);
  if (text === undefined) return [];
  const shown = { description: filledText(description), preview: filledText(preview) };
  return [{ label: text, ...present(shown) }];
}
