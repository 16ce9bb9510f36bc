/**
 * Turns a client's answer to a prompt into the message for the bridge. Clients may name a suggestion or a
 * question by its index, and write several labels as a list or as JSON; the bridge knows one form only. Pure.
 * Throws an `ApiError` 400 with the name of the field if an answer does not fit the prompt.
 */
import type { AnswerMessage, Answers } from "../../client/answers.ts";
import { parseJson } from "../../client/claude-value.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { QuestionAnswer, ToolApproval } from "../../src/types.ts";
import { type ApiError, badField } from "../api/api-error.ts";

type PermissionPrompt = Extract<OpenPrompt, { kind: "permission" }>;
type QuestionPrompt = Extract<OpenPrompt, { kind: "question" }>;
type Fields = Readonly<Record<string, unknown>>;

/** The fields of the message in all forms that a client may use. */
export type GivenAnswer =
  | (Omit<ToolApproval, "request_id" | "id"> & {
      /** Indexes of the prompt's suggestions, which come before `updatedPermissions`. */
      readonly suggestions?: readonly number[] | undefined;
    })
  | (Omit<QuestionAnswer, "request_id" | "id" | "answers" | "annotations"> & {
      /** Keys are texts or indexes, values texts, arrays or JSON arrays. */
      readonly answers: Fields;
      readonly annotations?: Fields | undefined;
    })
  | Omit<Extract<AnswerMessage, { type: "elicitation_answer" }>, "request_id" | "id">
  | Omit<Extract<AnswerMessage, { type: "dialog_answer" }>, "request_id" | "id">;

export function answerMessage(prompt: OpenPrompt, given: GivenAnswer): AnswerMessage {
  const { requestId: request_id } = prompt;
  switch (given.type) {
    case "tool_approval":
      return approval(prompt, given);
    case "question_answer":
      return questionAnswer(prompt, given);
    case "elicitation_answer":
      if (prompt.kind !== "elicitation") throw otherKind(prompt);
      return { ...given, request_id };
    case "dialog_answer":
      if (prompt.kind !== "dialog") throw otherKind(prompt);
      return { ...given, request_id };
  }
}

type AnswerOf<Type extends GivenAnswer["type"]> = Extract<GivenAnswer, { type: Type }>;

/** The message of an approval. Without a text for a denial Claude gets the bridge's own. */
function approval(prompt: OpenPrompt, given: AnswerOf<"tool_approval">): ToolApproval {
  const { suggestions = [], updatedPermissions = [], message = "", ...fields } = given;
  const { requestId: request_id } = prompt;
  if (given.decision === "deny") {
    if (prompt.kind !== "permission" && prompt.kind !== "question") throw otherKind(prompt);
    const { updatedInput: _, ...denial } = fields;
    return { ...denial, request_id, ...(message.trim() !== "" && { message }) };
  }
  if (prompt.kind === "question")
    throw badField("decision", "a question is answered, or refused with deny");
  if (prompt.kind !== "permission") throw otherKind(prompt);
  const changes = [...acceptedSuggestions(prompt, suggestions), ...updatedPermissions];
  const { interrupt: _, ...allowance } = fields;
  return { ...allowance, request_id, ...(changes.length > 0 && { updatedPermissions: changes }) };
}

function acceptedSuggestions(
  { permissionSuggestions }: PermissionPrompt,
  indexes: readonly number[],
) {
  return [...new Set(indexes)].map((index) => {
    const suggestion = permissionSuggestions[index];
    if (suggestion === undefined)
      throw badField("suggestions", `the prompt has no suggestion ${index}`);
    return suggestion;
  });
}

function questionAnswer(prompt: OpenPrompt, given: AnswerOf<"question_answer">): QuestionAnswer {
  if (prompt.kind !== "question") throw otherKind(prompt);
  const answers = translatedAnswers(prompt, given.answers);
  if (Object.keys(answers).length === 0) throw badField("answers", "no question is answered");
  const { annotations, ...fields } = given;
  return {
    ...fields,
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

/** Whether a question has an answer. The bridge wants blank ones left out. */
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

/** The values with the text of their question as key. */
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

function noText(question: string): ApiError {
  return badField(`answers.${question}`, "must be a text, or a list of texts");
}

const COMMAND_FOR = {
  permission: "approve",
  question: "answer",
  elicitation: "elicitation",
  dialog: "dialog",
} as const;

function otherKind({ kind }: OpenPrompt): ApiError {
  return badField("request_id", `this prompt is answered with the command ${COMMAND_FOR[kind]}`);
}
