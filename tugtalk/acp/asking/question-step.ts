/** Claude's questions: one form, or options for one question after the other. Pure. */
import type { ElicitationPropertySchema, EnumOption } from "@agentclientprotocol/sdk";
import { type Answers, answerQuestions, deny } from "../../client/answers.ts";
import type { QuestionPrompt, QuestionView } from "../../client/prompt-models.ts";
import { viewQuestions } from "../../client/views/question-view.ts";
import type { Fields } from "../../src/base/json.ts";
import { textContent } from "../updates/text-content.ts";
import { toolCallOf } from "./asked-call.ts";
import {
  type Audience,
  type Choice,
  formStep,
  pickStep,
  type Refuse,
  type Step,
  WHY,
} from "./step.ts";

const DECLINED = "The user does not want to answer the questions.";
const NO_ANSWER = "The user has answered none of the questions.";
const NOT_SHOWN = "The questions have no form that can be shown, so the user was not asked.";

export function questionStep(audience: Audience, prompt: QuestionPrompt): Step {
  const questions = viewQuestions(prompt.questions);
  if (questions.length === 0) return refuseWith(prompt)(NOT_SHOWN);
  return audience.features.forms
    ? formOf(audience, prompt, questions)
    : optionsOf({ audience, prompt, questions });
}

function refuseWith({ requestId }: QuestionPrompt): Refuse {
  return (why) => ({ answer: deny({ request_id: requestId }, why) });
}

function answered(prompt: QuestionPrompt, answers: Answers): Step {
  if (Object.keys(answers).length === 0) return refuseWith(prompt)(NO_ANSWER);
  return { answer: answerQuestions({ request_id: prompt.requestId }, answers) };
}

function formOf(
  audience: Audience,
  prompt: QuestionPrompt,
  questions: readonly QuestionView[],
): Step {
  const { toolCallId } = toolCallOf(audience, prompt);
  const [first] = questions;
  const isOne = questions.length === 1;
  const properties = questions.flatMap((question, index) => [
    [answerKey(index), answerProperty(question, isOne)],
    [otherKey(index), { type: "string", title: otherTitle(question, isOne) }],
  ]);
  const refuse = refuseWith(prompt);
  return formStep(
    {
      mode: "form",
      sessionId: audience.sessionId,
      toolCallId,
      message: isOne && first !== undefined ? first.question : "Claude has some questions.",
      requestedSchema: { type: "object", properties: Object.fromEntries(properties) },
    },
    {
      accept: (content) => {
        const answers = answersIn(questions, content);
        return answers === undefined ? refuse(WHY.notOffered) : answered(prompt, answers);
      },
      decline: () => refuse(DECLINED),
      refuse,
    },
  );
}

const answerKey = (index: number) => `answer_${index + 1}`;
const otherKey = (index: number) => `other_${index + 1}`;

function otherTitle({ header, question }: QuestionView, isOne: boolean): string {
  return isOne ? "Another answer" : `Another answer: ${header ?? question}`;
}

function answerProperty(question: QuestionView, isOne: boolean): ElicitationPropertySchema {
  const { isMultiSelect, header, options } = question;
  const choices = options.map(
    ({ label, description }): EnumOption => ({
      const: label,
      title: label,
      ...(description !== undefined && { description }),
    }),
  );
  const previews = previewsOf(question);
  const description = [...(isOne ? [] : [question.question]), ...previews].join("\n\n");
  const shown = {
    title: header ?? question.question,
    ...(description !== "" && { description }),
  };
  return isMultiSelect
    ? { type: "array", ...shown, items: { anyOf: choices } }
    : { type: "string", ...shown, oneOf: choices };
}

function previewsOf({ options }: QuestionView): string[] {
  return options.flatMap(({ label, preview }) =>
    preview === undefined ? [] : `**${label}**\n\n${preview}`,
  );
}

/** Undefined where something was chosen that was not offered. */
function answersIn(questions: readonly QuestionView[], content: Fields): Answers | undefined {
  const texts = questions.map((question, index) =>
    textsIn(question, content[answerKey(index)], content[otherKey(index)]),
  );
  if (texts.includes(undefined)) return undefined;
  const pairs = questions.flatMap(({ question, isMultiSelect }, index) => {
    const [first, ...more] = texts[index] ?? [];
    if (first === undefined) return [];
    return [[question, isMultiSelect ? [first, ...more] : first] as const];
  });
  return Object.fromEntries(pairs);
}

/** The chosen labels, in the order of the options. A typed text is one more, or takes the place of the only one. */
function textsIn(
  { options, isMultiSelect }: QuestionView,
  value: unknown,
  own: unknown,
): readonly string[] | undefined {
  const chosen = Array.isArray(value) && isMultiSelect ? value : [value ?? ""];
  const labels = options.map(({ label }) => label);
  if (!chosen.every((one) => one === "" || labels.includes(one))) return undefined;
  const offered = labels.filter((label) => chosen.includes(label));
  const other = typeof own === "string" ? own.trim() : "";
  if (other === "") return offered;
  return isMultiSelect ? [...offered, other] : [other];
}

/** Questions that are asked one after the other. */
type Series = {
  readonly audience: Audience;
  readonly prompt: QuestionPrompt;
  readonly questions: readonly QuestionView[];
};

/** From the question with this index on. */
function optionsOf(series: Series, index = 0, answers: Answers = {}): Step {
  const { audience, prompt, questions } = series;
  const asked = questions[index];
  if (asked === undefined) return answered(prompt, answers);
  const { question, isMultiSelect } = asked;
  const refuse = refuseWith(prompt);
  const decline: Choice = {
    ...{ optionId: "reject", name: "Don't answer", kind: "reject_once" },
    next: () => refuse(DECLINED),
  };
  const place = questions.length === 1 ? "" : ` (${index + 1} of ${questions.length})`;
  const title = `${question}${place}`;
  const content = textContent(explained(asked));
  const subject = { ...audience, toolCall: { ...toolCallOf(audience, prompt), title, content } };
  const options = {
    options: asked.options.map(({ label }) => ({ value: label, label })),
    ...(isMultiSelect && { several: {} }),
  };
  const picked = ([first, ...more]: readonly string[]) => {
    if (first === undefined) return optionsOf(series, index + 1, answers);
    const answer = isMultiSelect ? [first, ...more] : first;
    return optionsOf(series, index + 1, { ...answers, [question]: answer });
  };
  return pickStep(subject, options, { picked, others: [decline], refuse });
}

/** The question with the descriptions of its options. */
function explained(asked: QuestionView): string {
  const lines = asked.options.map(({ label, description }) =>
    description === undefined ? `- ${label}` : `- ${label}: ${description}`,
  );
  return [asked.question, lines.join("\n"), ...previewsOf(asked)].join("\n\n");
}
