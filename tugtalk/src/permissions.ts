/**
 * The prompts that a person has not answered yet. Decides what an answer
 * means; writing it to Claude is the caller's. Protocol reference §5; D06, PN-18, R01.
 */
import {
  type ControlAnswer,
  formatPermissionAllow,
  formatPermissionDeny,
  formatQuestionAnswer,
} from "./control.ts";
import { AskUserQuestionInput, type PermissionRequest } from "./protocol-types.ts";
import { RecentIds } from "./recent-ids.ts";
import type { ControlRequestCancel, QuestionAnswer, ToolApproval } from "./types.ts";

/** A question that Claude waits to be answered. */
export type Prompt = {
  readonly requestId: string;
  readonly request: PermissionRequest;
  /** The questions, where the prompt is AskUserQuestion. */
  readonly questions: AskUserQuestionInput | undefined;
  /** Asked by a task in the background: outlives the turn. */
  readonly isBackground: boolean;
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

/** The open prompts of one process. */
export class PermissionManager {
  readonly #open = new Map<string, Prompt>();
  readonly #settled = new RecentIds(REMEMBERED_PROMPTS);
  readonly #everSettled: RecentIds;

  /** `everSettled` outlives the process: an answer may be late by more than one. */
  constructor(everSettled: RecentIds = new RecentIds(REMEMBERED_PROMPTS)) {
    this.#everSettled = everSettled;
  }

  /** Opens a prompt. Nothing where it was opened before: Claude repeats itself after a reconnect. */
  open(requestId: string, request: PermissionRequest, isBackground: boolean): Prompt | undefined {
    if (this.#open.has(requestId) || this.#settled.has(requestId)) return undefined;
    const prompt = { requestId, request, questions: questionsOf(request), isBackground };
    this.#open.set(requestId, prompt);
    return prompt;
  }

  /** Whether a person is being asked. */
  get isAsking(): boolean {
    return this.#open.size > 0;
  }

  /** What the host's answer to a permission prompt means. Leaves the prompt open. */
  decideApproval(approval: ToolApproval): Decision {
    const prompt = this.#open.get(approval.request_id);
    if (prompt === undefined) return this.#missing(approval.request_id);
    if (approval.decision === "deny") return denial(approval);
    if (prompt.questions !== undefined) {
      return problem(
        "a question is answered with question_answer, or refused with tool_approval deny",
      );
    }
    const { updatedInput = {}, updatedPermissions } = approval;
    const input = Object.keys(updatedInput).length === 0 ? prompt.request.input : updatedInput;
    return {
      answer: formatPermissionAllow(prompt.requestId, input, updatedPermissions),
      outcome: "allow",
      endsTurn: false,
    };
  }

  /** What the host's answer to a question means. Leaves the prompt open. */
  decideAnswer(answer: QuestionAnswer): Decision {
    const prompt = this.#open.get(answer.request_id);
    if (prompt === undefined) return this.#missing(answer.request_id);
    if (prompt.questions === undefined)
      return problem(`${prompt.request.tool_name} is not a question`);
    const fault = faultOf(answer, prompt.questions);
    if (fault !== undefined) return problem(fault);
    return {
      answer: formatQuestionAnswer(prompt.requestId, prompt.questions, answer),
      outcome: "answered",
      endsTurn: false,
    };
  }

  /** Closes one prompt. False: late, repeated or never asked. */
  close(requestId: string): boolean {
    const wasOpen = this.#open.delete(requestId);
    if (!wasOpen) return false;
    this.#settled.add(requestId);
    this.#everSettled.add(requestId);
    return true;
  }

  /** Closes the prompts that die now, and says so to the host. */
  closeAll(
    reason: ControlRequestCancel["reason"],
    which: (prompt: Prompt) => boolean = () => true,
  ) {
    return [...this.#open.values()].filter(which).map(({ requestId }) => {
      this.close(requestId);
      return { type: "control_request_cancel" as const, request_id: requestId, reason };
    });
  }

  #missing(requestId: string): Decision {
    return this.#everSettled.has(requestId)
      ? { problem: "stale_request", message: `request ${requestId} is already settled` }
      : { problem: "unknown_request", message: `no request ${requestId} was forwarded` };
  }
}

function questionsOf({ tool_name, input }: PermissionRequest): AskUserQuestionInput | undefined {
  if (tool_name !== "AskUserQuestion") return undefined;
  const parsed = AskUserQuestionInput.safeParse(input);
  // A malformed question is still one: it can be refused, and answered by `response`.
  return parsed.success ? parsed.data : { ...input, questions: [] };
}

function denial({ request_id, message, interrupt }: ToolApproval): Decision {
  return {
    answer: formatPermissionDeny(request_id, message, interrupt),
    outcome: "deny",
    endsTurn: interrupt === true,
  };
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
