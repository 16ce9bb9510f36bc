/**
 * The prompts that a person has not answered yet. Decides what an answer
 * means; writing it to Claude is the caller's. Protocol reference §5; D06, PN-18, R01.
 */

import { BoundedSet } from "./base/bounded-map.ts";
import type { Clock } from "./base/clock.ts";
import {
  type ControlAnswer,
  formatAnswer,
  formatPermissionAllow,
  formatPermissionDeny,
  formatQuestionAnswer,
} from "./control.ts";
import type { Asker } from "./conversation/askers.ts";
import type { DialogAnswer, ElicitationAnswer } from "./messages/elicitation-messages.ts";
import { AskUserQuestionInput, type PermissionRequest } from "./protocol-types.ts";
import type { QuestionAnswer, ToolApproval } from "./types.ts";

/** What Claude asks. */
export type PromptContent =
  | { readonly kind: "permission"; readonly request: PermissionRequest }
  | {
      readonly kind: "question";
      readonly request: PermissionRequest;
      readonly questions: AskUserQuestionInput;
    }
  | { readonly kind: "elicitation" }
  | { readonly kind: "dialog" };

/** Something that Claude waits to be answered. */
export type Prompt = {
  readonly requestId: string;
  readonly asked: PromptContent;
  readonly asker: Asker;
};

/** How long a prompt may stay open, and what happens then. */
export type Expiry = {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly onExpired: (prompt: Prompt) => void;
};

/** What to write for an answer, or why it cannot be taken. */
export type Decision =
  | {
      readonly answer: ControlAnswer;
      readonly outcome: "allow" | "deny" | "answered";
      readonly endsTurn: boolean;
    }
  | {
      readonly problem: "unknown_request" | "stale_request" | "bad_message";
      readonly message: string;
    };

/** Settled prompts that are remembered, to tell a late answer from a wrong one. */
export const REMEMBERED_PROMPTS = 1024;

/** Prompts that may be open at once: more than a person can be asked. */
export const MAX_OPEN_PROMPTS = 256;

/** The open prompts of one process. */
export class PermissionManager {
  readonly #open = new Map<string, { readonly prompt: Prompt; readonly timer: unknown }>();
  readonly #settled = new BoundedSet<string>(REMEMBERED_PROMPTS);
  readonly #everSettled: BoundedSet<string>;
  readonly #expiry: Expiry | undefined;

  /** `everSettled` outlives the process: an answer may be late by more than one. */
  constructor(
    everSettled: BoundedSet<string> = new BoundedSet<string>(REMEMBERED_PROMPTS),
    expiry?: Expiry,
  ) {
    this.#everSettled = everSettled;
    this.#expiry = expiry;
  }

  /** Opens a prompt. Nothing where it was opened before: Claude repeats itself after a reconnect. */
  open(requestId: string, asked: PromptContent, asker: Asker): Prompt | undefined {
    if (this.#open.has(requestId) || this.#settled.has(requestId)) return undefined;
    const prompt = { requestId, asked, asker };
    const { clock, timeoutMs, onExpired } = this.#expiry ?? {};
    const timer =
      timeoutMs === undefined ? undefined : clock?.setTimer(() => onExpired?.(prompt), timeoutMs);
    this.#open.set(requestId, { prompt, timer });
    return prompt;
  }

  /** Whether there is no room for this prompt; for one that is open there is. */
  isFullFor(requestId: string): boolean {
    return this.#open.size >= MAX_OPEN_PROMPTS && !this.#open.has(requestId);
  }

  /** The prompts that are open, the oldest first. */
  get prompts(): readonly Prompt[] {
    return [...this.#open.values()].map(({ prompt }) => prompt);
  }

  /** Whether a person is being asked. */
  get isAsking(): boolean {
    return this.#open.size > 0;
  }

  /** What the host's answer to a permission prompt means. Leaves the prompt open. */
  decideApproval(approval: ToolApproval): Decision {
    return this.#decide(approval.request_id, (asked) => {
      if (!("request" in asked)) return problem(`this is answered with ${asked.kind}_answer`);
      if (approval.decision === "deny") return denial(approval);
      if (asked.kind === "question") {
        return problem(
          "a question is answered with question_answer, or refused with tool_approval deny",
        );
      }
      return approved(approval, asked.request);
    });
  }

  /** What the host's answer to a question means. Leaves the prompt open. */
  decideAnswer(answer: QuestionAnswer): Decision {
    return this.#decide(answer.request_id, (asked) => {
      if (asked.kind !== "question") return problem(`a ${asked.kind} is not a question`);
      const fault = faultOf(answer, asked.questions);
      if (fault !== undefined) return problem(fault);
      return answered(formatQuestionAnswer(answer.request_id, asked.questions, answer));
    });
  }

  /** What the host's answer to a form of an MCP server means. Leaves the prompt open. */
  decideElicitation({ request_id, action, content }: ElicitationAnswer): Decision {
    return this.#decide(request_id, ({ kind }) => {
      if (kind !== "elicitation") return problem(`a ${kind} is not an elicitation`);
      return answered(
        formatAnswer(request_id, { action, ...(content !== undefined && { content }) }),
      );
    });
  }

  /** What the host's answer to a dialog means. Leaves the prompt open. */
  decideDialog({ request_id, behavior, result }: DialogAnswer): Decision {
    return this.#decide(request_id, ({ kind }) => {
      if (kind !== "dialog") return problem(`a ${kind} is not a dialog`);
      return answered(
        formatAnswer(request_id, { behavior, ...(result !== undefined && { result }) }),
      );
    });
  }

  /** Closes one prompt. Nothing: late, repeated or never asked. */
  close(requestId: string): Prompt | undefined {
    const open = this.#open.get(requestId);
    if (open === undefined) return undefined;
    this.#open.delete(requestId);
    this.#expiry?.clock.clearTimer(open.timer);
    this.#settled.add(requestId);
    this.#everSettled.add(requestId);
    return open.prompt;
  }

  #decide(requestId: string, decide: (asked: PromptContent) => Decision): Decision {
    const open = this.#open.get(requestId);
    return open === undefined ? this.#missing(requestId) : decide(open.prompt.asked);
  }

  #missing(requestId: string): Decision {
    return this.#everSettled.has(requestId)
      ? { problem: "stale_request", message: `request ${requestId} is already settled` }
      : { problem: "unknown_request", message: `no request ${requestId} was forwarded` };
  }
}

/** A permission prompt, or the questions that come as one. */
export function askedBy(request: PermissionRequest): PromptContent {
  if (request.tool_name !== "AskUserQuestion") return { kind: "permission", request };
  const parsed = AskUserQuestionInput.safeParse(request.input);
  // A malformed question is still one: it can be refused, and answered by `response`.
  const questions = parsed.success ? parsed.data : { ...request.input, questions: [] };
  return { kind: "question", request, questions };
}

function approved(
  { request_id, updatedInput = {}, updatedPermissions }: ToolApproval,
  { input }: PermissionRequest,
): Decision {
  const wanted = Object.keys(updatedInput).length === 0 ? input : updatedInput;
  const answer = formatPermissionAllow(request_id, wanted, updatedPermissions);
  return { answer, outcome: "allow", endsTurn: false };
}

function denial({ request_id, message, interrupt }: ToolApproval): Decision {
  const answer = formatPermissionDeny(request_id, message, interrupt);
  return { answer, outcome: "deny", endsTurn: interrupt === true };
}

function answered(answer: ControlAnswer): Decision {
  return { answer, outcome: "answered", endsTurn: false };
}

/** Refuses a prompt that nobody answered in time. */
export function expiredAnswer(prompt: Prompt, timeoutMs: number): ControlAnswer {
  const time = duration(timeoutMs);
  const isQuestion = prompt.asked.kind === "question";
  const words = isQuestion ? "User did not respond within" : "Tool approval timed out after";
  return refusalOf(prompt, `${words} ${time}`);
}

/** Refuses a prompt on nobody's wish; ends what asked too, or the model would ask again. */
export function refusalOf({ requestId, asked }: Prompt, words: string): ControlAnswer {
  switch (asked.kind) {
    case "permission":
    case "question":
      return formatPermissionDeny(requestId, words, true);
    case "elicitation":
      return formatAnswer(requestId, { action: "cancel" });
    case "dialog":
      return formatAnswer(requestId, { behavior: "cancelled" });
  }
}

function duration(ms: number): string {
  const [count, unit] = ms % 60_000 === 0 ? [ms / 60_000, "minute"] : [ms / 1000, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Claude takes a wrong key for no answer at all, so it is refused here. */
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

function problem(message: string): Decision {
  return { problem: "bad_message", message };
}
