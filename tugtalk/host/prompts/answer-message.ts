/**
 * A client's answer to a prompt as the message for the bridge. Clients may name a question by its text
 * or its index, and write several labels as a list or as JSON; the bridge knows one form only. Pure.
 */

import type { Answers } from "../../client/answers.ts";
import { parseJson } from "../../client/claude-value.ts";
import type { PendingPrompt } from "../../client/host-api.ts";
import type { DialogAnswer, ElicitationAnswer } from "../../src/messages/prompt-messages.ts";
import type { QuestionAnswer, ToolApproval } from "../../src/types.ts";
import { type ApiError, badField } from "../api/api-error.ts";
import type { PromptAnswer } from "../api/host-session.ts";

/** A message that answers a prompt. */
export type AnswerMessage = ToolApproval | QuestionAnswer | ElicitationAnswer | DialogAnswer;

type Approval = Extract<PromptAnswer, { kind: "approval" }>;
type QuestionAnswers = Extract<PromptAnswer, { kind: "answers" }>;
type ApprovalPrompt = Extract<PendingPrompt, { type: "approval" }>;
type QuestionPrompt = Extract<PendingPrompt, { type: "question" }>;
type Fields = Readonly<Record<string, unknown>>;

/** The message that gives `answer` to `prompt`. Throws `ApiError` 400 with the name of the wrong field. */
export function answerMessage(prompt: PendingPrompt, answer: PromptAnswer): AnswerMessage {
  const { requestId: request_id } = prompt;
  switch (answer.kind) {
    case "approval":
      return answer.decision === "deny" ? denial(prompt, answer) : permission(prompt, answer);
    case "answers":
      return questionAnswer(prompt, answer);
    case "elicitation": {
      if (prompt.type !== "elicitation") throw otherKind(prompt);
      const content = answer.content && { ...answer.content };
      return { type: "elicitation_answer", request_id, action: answer.action, content };
    }
    case "dialog": {
      if (prompt.type !== "dialog") throw otherKind(prompt);
      const { result } = answer;
      return { type: "dialog_answer", request_id, behavior: dialogBehavior(answer), result };
    }
  }
}

function permission(prompt: PendingPrompt, answer: Approval): ToolApproval {
  if (prompt.type === "question")
    throw badField("decision", "a question is answered, or refused with deny");
  if (prompt.type !== "approval") throw otherKind(prompt);
  const { suggestions = [], updatedPermissions: further = [] } = answer;
  const updatedPermissions = [...acceptedSuggestions(prompt, suggestions), ...further];
  return {
    type: "tool_approval",
    request_id: prompt.requestId,
    decision: "allow",
    ...(answer.updatedInput && { updatedInput: { ...answer.updatedInput } }),
    ...(updatedPermissions.length > 0 && { updatedPermissions }),
  };
}

function acceptedSuggestions({ suggestions }: ApprovalPrompt, indexes: readonly number[]) {
  return [...new Set(indexes)].map((index) => {
    const suggestion = suggestions[index];
    if (suggestion === undefined)
      throw badField("suggestions", `the prompt has no suggestion ${index}`);
    return suggestion;
  });
}

/** Without a reason Claude gets its own text. */
function denial(prompt: PendingPrompt, { reason, interrupt }: Approval): ToolApproval {
  if (prompt.type !== "approval" && prompt.type !== "question") throw otherKind(prompt);
  return {
    type: "tool_approval",
    request_id: prompt.requestId,
    decision: "deny",
    ...(reason?.trim() && { message: reason }),
    ...(interrupt !== undefined && { interrupt }),
  };
}

function questionAnswer(prompt: PendingPrompt, answer: QuestionAnswers): QuestionAnswer {
  if (prompt.type !== "question") throw otherKind(prompt);
  const answers = translatedAnswers(prompt, answer.answers);
  if (Object.keys(answers).length === 0) throw badField("answers", "no question is answered");
  const { annotations } = answer;
  return {
    type: "question_answer",
    request_id: prompt.requestId,
    answers,
    ...(annotations && { annotations: byQuestion(prompt, "annotations", annotations) }),
  };
}

function translatedAnswers(prompt: QuestionPrompt, answers: Fields): Record<string, Answer> {
  const given = Object.entries(byQuestion(prompt, "answers", answers));
  const translated = given.map(([text, value]): [string, Answer | undefined] => {
    const question = prompt.questions.find((candidate) => candidate.question === text);
    return [text, question?.multiSelect === true ? severalOf(text, value) : oneOf(text, value)];
  });
  return Object.fromEntries(translated.filter(isAnswered));
}

type Answer = Answers[string];

/** A question that is left blank is left out, as the bridge wants it. */
function isAnswered(entry: [string, Answer | undefined]): entry is [string, Answer] {
  const [, answer] = entry;
  return typeof answer === "string" ? answer.trim() !== "" : (answer ?? []).length > 0;
}

function oneOf(question: string, value: unknown): string | undefined {
  const answers = isTexts(value) ? value : [value];
  const [answer] = answers;
  if (answers.length > 1) throw badField(`answers.${question}`, "takes one answer");
  if (answer !== undefined && typeof answer !== "string") throw noText(question);
  return answer;
}

function severalOf(question: string, value: unknown): string[] {
  const answers = typeof value === "string" ? (listIn(value) ?? [value]) : value;
  if (!isTexts(answers)) throw noText(question);
  return answers.filter((answer) => answer.trim() !== "");
}

/** The texts of a JSON array; undefined for any other text. */
function listIn(text: string): string[] | undefined {
  const value = parseJson(text);
  return isTexts(value) ? value : undefined;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The same values by the text of their question. */
function byQuestion(prompt: QuestionPrompt, field: string, values: Fields): Fields {
  const found = new Map<string, unknown>();
  for (const [key, value] of Object.entries(values)) {
    const text = questionText(prompt, key);
    if (text === undefined) throw badField(`${field}.${key}`, "the prompt has no such question");
    if (found.has(text)) throw badField(`${field}.${key}`, "the question has two values");
    found.set(text, value);
  }
  return Object.fromEntries(found);
}

function questionText({ questions }: QuestionPrompt, key: string): string | undefined {
  if (questions.some(({ question }) => question === key)) return key;
  return /^\d+$/.test(key) ? questions[Number(key)]?.question : undefined;
}

function dialogBehavior({ behavior }: { readonly behavior: string }): DialogAnswer["behavior"] {
  if (behavior === "completed" || behavior === "cancelled") return behavior;
  throw badField("behavior", "must be completed or cancelled");
}

function noText(question: string): ApiError {
  return badField(`answers.${question}`, "must be a text, or a list of texts");
}

const COMMAND_FOR = {
  approval: "approve",
  question: "answer",
  elicitation: "elicitation",
  dialog: "dialog",
} as const;

function otherKind({ type }: PendingPrompt): ApiError {
  return badField("request_id", `this prompt is answered with the command ${COMMAND_FOR[type]}`);
}
