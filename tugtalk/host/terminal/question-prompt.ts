/** The questions that Claude asks with AskUserQuestion, one after the other. Pure. */
import { type Answers, answerQuestions, type PermissionRequest } from "../../client/answers.ts";
import { viewQuestions } from "../../client/views/question-view.ts";
import type { QuestionView } from "../../src/messages/prompt-models.ts";
import { type Line, line } from "./comfort/terminal-text.ts";
import { answered, type Prompt, type PromptStep, parseNumbers } from "./prompt-step.ts";

/** Asks the questions of a request. Nothing: it holds none, or one that cannot be read. */
export function questionPrompt(request: PermissionRequest): Prompt | undefined {
  const asked = request.input["questions"];
  const questions = viewQuestions(asked);
  const isReadable = Array.isArray(asked) && questions.length === asked.length;
  return isReadable ? askFrom(request, questions, {}) : undefined;
}

function askFrom(
  request: PermissionRequest,
  [question, ...others]: readonly QuestionView[],
  answers: Answers,
): Prompt | undefined {
  if (question === undefined) return undefined;
  return {
    lines: formatQuestion(question),
    answer: (input) => {
      const answer = parseAnswer(question, input.trim());
      if (answer === undefined) return { kind: "unclear", hint: describeExpected(question) };
      return nextStep(request, others, { ...answers, [question.question]: answer });
    },
  };
}

function nextStep(
  request: PermissionRequest,
  others: readonly QuestionView[],
  answers: Answers,
): PromptStep {
  const prompt = askFrom(request, others, answers);
  if (prompt === undefined) return answered(answerQuestions(request, answers));
  return { kind: "next", prompt };
}

function formatQuestion(question: QuestionView): Line[] {
  const header = question.header === undefined ? "" : `${question.header}: `;
  const options = question.options.map(({ label, description }, index) => {
    const detail = description === undefined ? "" : ` - ${description}`;
    return line("plain", `  ${index + 1}. ${label}${detail}`);
  });
  return [
    line("ask", `${header}${question.question}`),
    ...options,
    line("ask", describeExpected(question)),
  ];
}

function describeExpected(question: QuestionView): string {
  const number = `1 to ${question.options.length}`;
  return question.isMultiSelect
    ? `Answer: numbers (${number}), as in 1,2, or your own words`
    : `Answer: a number (${number}) or your own words`;
}

/** The labels that the numbers stand for, or free text. Nothing: numbers that name no option. */
function parseAnswer(question: QuestionView, input: string): string | string[] | undefined {
  if (input === "") return undefined;
  if (!/^[\d\s,]+$/.test(input)) return input;
  const labels = parseNumbers(input, question.options)?.map(({ label }) => label);
  if (question.isMultiSelect) return labels;
  return labels?.length === 1 ? labels[0] : undefined;
}
