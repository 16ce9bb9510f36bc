/**
 * What a person is asked and what their line of input means: permission for a tool, or the
 * questions that Claude asks. Pure: a forwarded request in, the text of the prompt out; a line in,
 * the message for the bridge out.
 */
import { z } from "zod";
import type { PermissionSuggestion } from "../src/protocol-types.ts";
import type { ControlRequestForward, InboundMessage } from "../src/types.ts";
import { cutLines, type Line } from "./terminal-text.ts";

const Question = z.looseObject({
  question: z.string(),
  header: z.string().optional(),
  options: z.array(z.looseObject({ label: z.string(), description: z.string().optional() })),
  multiSelect: z.boolean().optional(),
});
type Question = z.infer<typeof Question>;

const QuestionInput = z.looseObject({ questions: z.array(Question).min(1) });

type Answers = Readonly<Record<string, string | string[]>>;

/** A request that waits for a person, with the answers that were given so far. */
export type Prompt = {
  readonly request: ControlRequestForward;
  /** The questions still to ask; empty when permission is asked. */
  readonly questions: readonly Question[];
  readonly answers: Answers;
};

/** What one line of input did: it settled the request, led to the next question, or was no answer. */
export type PromptStep =
  | { readonly kind: "answered"; readonly message: InboundMessage }
  | { readonly kind: "next"; readonly prompt: Prompt }
  | { readonly kind: "unclear"; readonly hint: string };

/** The prompt of a forwarded request, unanswered. */
export function newPrompt(request: ControlRequestForward): Prompt {
  const input = request.is_question ? QuestionInput.safeParse(request.input) : undefined;
  return { request, questions: input?.data?.questions ?? [], answers: {} };
}

/** The text that asks. A tool's input is shown whole: nobody should allow what they cannot see. */
export function formatPrompt({ request, questions }: Prompt): Line[] {
  const [question] = questions;
  if (question !== undefined) return formatQuestion(question);
  const reason = request["decision_reason"];
  const why = typeof reason === "string" ? ` (${reason})` : "";
  return [
    { style: "ask", text: `Claude wants to use ${request.tool_name}${why}` },
    ...Object.entries(request.input).map(([name, value]) => formatInputField(name, value)),
    { style: "ask", text: formatChoices(request) },
  ];
}

/** What a line of input means for the prompt. */
export function answerPrompt(prompt: Prompt, input: string): PromptStep {
  const [question, ...others] = prompt.questions;
  if (question === undefined) return answerPermission(prompt.request, input.trim());
  const answer = parseAnswer(question, input.trim());
  if (answer === undefined) return { kind: "unclear", hint: describeExpected(question) };

  const answers = { ...prompt.answers, [question.question]: answer };
  if (others.length > 0) return { kind: "next", prompt: { ...prompt, questions: others, answers } };
  const request_id = prompt.request.request_id;
  return {
    kind: "answered",
    message: { type: "question_answer", id: request_id, request_id, answers },
  };
}

/** The refusal of a prompt that nobody can answer. */
export function refusePrompt(prompt: Prompt, message: string): InboundMessage {
  const request_id = prompt.request.request_id;
  return { type: "tool_approval", id: request_id, request_id, decision: "deny", message };
}

// ------------------------------------------------------------------------------------ permission

function formatInputField(name: string, value: unknown): Line {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Long files are cut in length, never in width, and the cut is told.
  const shown = cutLines(text, 60, 10_000);
  const separator = shown.includes("\n") ? "\n    " : " ";
  return { style: "plain", text: `  ${name}:${separator}${shown.replaceAll("\n", "\n    ")}` };
}

function formatChoices(request: ControlRequestForward): string {
  const [suggestion] = request.permission_suggestions ?? [];
  const always = suggestion === undefined ? "" : ` / a (always: ${JSON.stringify(suggestion)})`;
  return `Allow? y${always} / n <reason>`;
}

function answerPermission(request: ControlRequestForward, input: string): PromptStep {
  const [, word = "", reason = ""] = /^(\S*)\s*(.*)$/s.exec(input) ?? [];
  const approval = {
    type: "tool_approval",
    id: request.request_id,
    request_id: request.request_id,
  } as const;
  switch (word.toLowerCase()) {
    case "y":
    case "yes":
      return { kind: "answered", message: { ...approval, decision: "allow" } };
    case "a":
    case "always": {
      // The rule goes back exactly as it came.
      const [rule] = (request.permission_suggestions ?? []) as PermissionSuggestion[];
      if (rule === undefined) {
        return { kind: "unclear", hint: "there is no rule to remember: y / n <reason>" };
      }
      return {
        kind: "answered",
        message: { ...approval, decision: "allow", updatedPermissions: [rule] },
      };
    }
    case "n":
    case "no": {
      const message = reason === "" ? {} : { message: reason };
      return { kind: "answered", message: { ...approval, decision: "deny", ...message } };
    }
    default:
      return { kind: "unclear", hint: "y / a / n <reason>" };
  }
}

// ------------------------------------------------------------------------------------- questions

function formatQuestion(question: Question): Line[] {
  const header = question.header === undefined ? "" : `${question.header}: `;
  const options = question.options.map(({ label, description }, index) => {
    const detail = description === undefined ? "" : ` - ${description}`;
    return { style: "plain", text: `  ${index + 1}. ${label}${detail}` } as const;
  });
  return [
    { style: "ask", text: `${header}${question.question}` },
    ...options,
    { style: "ask", text: describeExpected(question) },
  ];
}

function describeExpected(question: Question): string {
  const number = `1 to ${question.options.length}`;
  return question.multiSelect === true
    ? `Answer: numbers (${number}), as in 1,2, or your own words`
    : `Answer: a number (${number}) or your own words`;
}

/** The labels that the numbers stand for, or free text. Nothing: numbers that name no option. */
function parseAnswer(question: Question, input: string): string | string[] | undefined {
  if (input === "") return undefined;
  if (!/^[\d\s,]+$/.test(input)) return input;
  const numbers = input.split(/[\s,]+/).filter((word) => word !== "");
  const labels = numbers.map((word) => question.options[Number(word) - 1]?.label);
  if (!labels.every((label) => label !== undefined)) return undefined;
  if (question.multiSelect === true) return labels.length > 0 ? [...new Set(labels)] : undefined;
  return labels.length === 1 ? labels[0] : undefined;
}
