/**
 * The open prompts of one Claude process, and the decisions that the host's answers make. Writes nothing:
 * `run/prompts.ts` carries a decision out. Protocol reference §5.
 */

import { BoundedSet } from "./base/bounded-map.ts";
import type { Clock } from "./base/clock.ts";
import { isQuestions } from "./claude/plain-checks.generated.ts";
import {
  type ControlAnswer,
  formatAnswer,
  formatPermissionAllow,
  formatPermissionDeny,
  formatQuestionAnswer,
} from "./control.ts";
import type { Asker } from "./conversation/askers.ts";
import type { DialogAnswer, ElicitationAnswer } from "./messages/prompt-messages.ts";
import type { AskUserQuestionInput, PermissionRequest } from "./protocol-types.ts";
import { type AnswerProblem, notOpen } from "./run/answer-problem.ts";
import type { QuestionAnswer, ToolApproval } from "./types.ts";

/** The content of a request of Claude. */
export type PromptContent =
  | { readonly kind: "permission"; readonly request: PermissionRequest }
  | {
      readonly kind: "question";
      readonly request: PermissionRequest;
      readonly questions: AskUserQuestionInput;
    }
  | { readonly kind: "elicitation" }
  | { readonly kind: "dialog" };

/** A request of Claude's that is not answered yet. */
export type Prompt = {
  readonly requestId: string;
  readonly asked: PromptContent;
  readonly asker: Asker;
};

/** The host's answer to a prompt. */
export type PromptAnswer = ToolApproval | QuestionAnswer | ElicitationAnswer | DialogAnswer;

/** How long a prompt may stay open, and what happens then. */
export type Expiry = {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly onExpired: (prompt: Prompt, timeoutMs: number) => void;
};

/** The line to write to Claude for an answer, or the reason why it is not accepted. */
export type Decision =
  | {
      readonly answer: ControlAnswer;
      readonly outcome: "allow" | "deny" | "answered";
      readonly endsTurn: boolean;
    }
  | AnswerProblem;

/** How many ids of settled prompts are kept, to tell a late answer from a wrong one. */
export const REMEMBERED_PROMPTS = 1024;

/** How many prompts may be open at once. */
export const MAX_OPEN_PROMPTS = 256;

/** The open prompts of one process. */
export class PermissionManager {
  readonly #open = new Map<string, Prompt & { readonly timer: unknown }>();
  readonly #settled = new BoundedSet<string>(REMEMBERED_PROMPTS);
  readonly #everSettled: BoundedSet<string>;
  readonly #expiry: Expiry | undefined;

  /** `everSettled` outlives the process: an answer may come after a restart. */
  constructor(
    everSettled: BoundedSet<string> = new BoundedSet<string>(REMEMBERED_PROMPTS),
    expiry?: Expiry,
  ) {
    this.#everSettled = everSettled;
    this.#expiry = expiry;
  }

  /** Opens a prompt. Undefined if this process has asked it before: Claude repeats it after a reconnect. */
  open(requestId: string, asked: PromptContent, asker: Asker): Prompt | undefined {
    if (this.#open.has(requestId) || this.#settled.has(requestId)) return undefined;
    const prompt = { requestId, asked, asker };
    this.#open.set(requestId, { ...prompt, timer: this.#startTimer(prompt) });
    return prompt;
  }

  /** Whether the limit of open prompts keeps this one out. */
  isFullFor(requestId: string): boolean {
    return this.#open.size >= MAX_OPEN_PROMPTS && !this.#open.has(requestId);
  }

  /** The open prompts, the oldest first. One may be closed meanwhile. */
  get prompts(): IteratorObject<Prompt> {
    return this.#open.values();
  }

  /** Whether any prompt is open. */
  get isAsking(): boolean {
    return this.#open.size > 0;
  }

  /** The decision in the host's answer. Leaves the prompt open. */
  decide(answer: PromptAnswer): Decision {
    const prompt = this.#open.get(answer.request_id);
    return prompt === undefined
      ? notOpen(answer.request_id, this.#everSettled)
      : decisionFor(answer, prompt.asked);
  }

  /** Closes a prompt. Undefined if it is not open. */
  close(requestId: string): Prompt | undefined {
    const prompt = this.#open.get(requestId);
    if (prompt === undefined) return undefined;
    this.#open.delete(requestId);
    this.#expiry?.clock.clearTimer(prompt.timer);
    this.#settled.add(requestId);
    this.#everSettled.add(requestId);
    return prompt;
  }

  #startTimer(prompt: Prompt): unknown {
    if (this.#expiry === undefined) return undefined;
    const { clock, timeoutMs, onExpired } = this.#expiry;
    return clock.setTimer(() => onExpired(prompt, timeoutMs), timeoutMs);
  }
}

/** A permission prompt, or the questions of AskUserQuestion. */
export function askedBy(request: PermissionRequest): PromptContent {
  if (request.tool_name !== "AskUserQuestion") return { kind: "permission", request };
  // Malformed questions can still be refused, or answered with `response`.
  const questions = readQuestions(request.input) ?? { ...request.input, questions: [] };
  return { kind: "question", request, questions };
}

function readQuestions(input: PermissionRequest["input"]): AskUserQuestionInput | undefined {
  if (isQuestions(input)) return input;
  const schemas = require("./protocol-types.ts") as typeof import("./protocol-types.ts");
  return schemas.AskUserQuestionInput.safeParse(input).data;
}

/** Refuses a prompt that nobody answered in time. */
export function expiredAnswer(prompt: Prompt, timeoutMs: number): ControlAnswer {
  const what =
    prompt.asked.kind === "question"
      ? "User did not respond within"
      : "Tool approval timed out after";
  return refusalOf(prompt, `${what} ${duration(timeoutMs)}`);
}

/** Refuses a prompt, and ends the asking turn too: the model would ask again. */
export function refusalOf({ requestId, asked }: Prompt, message: string): ControlAnswer {
  switch (asked.kind) {
    case "permission":
    case "question":
      return formatPermissionDeny(requestId, message, true);
    case "elicitation":
      return formatAnswer(requestId, { action: "cancel" });
    case "dialog":
      return formatAnswer(requestId, { behavior: "cancelled" });
  }
}

function decisionFor(answer: PromptAnswer, asked: PromptContent): Decision {
  switch (answer.type) {
    case "tool_approval":
      return fromApproval(answer, asked);
    case "question_answer":
      return fromQuestionAnswer(answer, asked);
    case "elicitation_answer": {
      const { request_id, action, content } = answer;
      return asked.kind === "elicitation"
        ? answered(formatAnswer(request_id, { action, content }))
        : problem(`a ${asked.kind} is not an elicitation`);
    }
    case "dialog_answer": {
      const { request_id, behavior, result } = answer;
      return asked.kind === "dialog"
        ? answered(formatAnswer(request_id, { behavior, result }))
        : problem(`a ${asked.kind} is not a dialog`);
    }
  }
}

function fromApproval(approval: ToolApproval, asked: PromptContent): Decision {
  const { request_id, decision, updatedInput = {}, updatedPermissions } = approval;
  if (!("request" in asked)) return problem(`this is answered with ${asked.kind}_answer`);
  if (decision === "deny") return denied(approval);
  if (asked.kind === "question")
    return problem(
      "a question is answered with question_answer, or refused with tool_approval deny",
    );
  const input = Object.keys(updatedInput).length === 0 ? asked.request.input : updatedInput;
  const answer = formatPermissionAllow(request_id, input, updatedPermissions);
  return { answer, outcome: "allow", endsTurn: false };
}

function denied({ request_id, message, interrupt }: ToolApproval): Decision {
  const answer = formatPermissionDeny(request_id, message, interrupt);
  return { answer, outcome: "deny", endsTurn: interrupt === true };
}

function fromQuestionAnswer(answer: QuestionAnswer, asked: PromptContent): Decision {
  if (asked.kind !== "question") return problem(`a ${asked.kind} is not a question`);
  const fault = faultOf(answer, asked.questions);
  return fault === undefined
    ? answered(formatQuestionAnswer(answer.request_id, asked.questions, answer))
    : problem(fault);
}

/** Claude treats a wrong key as no answer, so it is refused here. */
function faultOf(
  { answers, response }: QuestionAnswer,
  { questions }: AskUserQuestionInput,
): string | undefined {
  if (Object.keys(answers).length === 0 && response === undefined) return "no question is answered";
  for (const [question, answer] of Object.entries(answers)) {
    const asked = questions.find((candidate) => candidate.question === question);
    if (asked === undefined) return `no such question: ${question}`;
    if (Array.isArray(answer) && asked.multiSelect !== true) return `one answer only: ${question}`;
  }
  return undefined;
}

function answered(answer: ControlAnswer): Decision {
  return { answer, outcome: "answered", endsTurn: false };
}

function problem(message: string): Decision {
  return { problem: "bad_message", message };
}

function duration(ms: number): string {
  const [count, unit] = ms % 60_000 === 0 ? [ms / 60_000, "minute"] : [ms / 1000, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
