/**
 * The prompts of one run, from Claude's request to the answer that is written: forwarded, answered,
 * withdrawn, expired or refused. `permissions.ts` decides what an answer means. Contract, guarantee 4.
 */

import type { BoundedSet } from "../base/bounded-map.ts";
import type { Clock } from "../base/clock.ts";
import type { ClaudeRequests } from "../claude/claude-requests.ts";
import { type ControlAnswer, type LineSink, sendControlResponse } from "../control.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { replyTo } from "../messages/envelope.ts";
import { errorMessage } from "../messages/errors.ts";
import type { SessionOptions } from "../messages/options.ts";
import type { ControlRequestCancel } from "../messages/prompt-messages.ts";
import {
  type AnswerProblem,
  type Decision,
  expiredAnswer,
  MAX_OPEN_PROMPTS,
  notOpen,
  PermissionManager,
  type Prompt,
  type PromptAnswer,
  refusalOf,
} from "../permissions.ts";
import type { ControlRequest } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";
import { turnEndReason } from "./asked.ts";
import { type PromptRequest, parsePrompt } from "./prompt-request.ts";
import { type Refusal, refuse, refuseExcess } from "./refusal.ts";

export type PromptOptions = {
  readonly clock: Clock;
  /** The ids of settled prompts, of earlier processes too. */
  readonly settledPrompts: BoundedSet<string>;
  readonly options: Pick<SessionOptions, "prompt_timeout_ms" | "dialogs">;
};

type Emit = (message: OutboundDraft) => void;

export type PromptDeps = {
  readonly claude: LineSink;
  readonly conversation: Conversation;
  /** The host's pending requests: an MCP tool that the host calls may ask a person. */
  readonly requests: ClaudeRequests;
  readonly emit: Emit;
};

/** How the host answered. */
export type Outcome = Exclude<Decision, AnswerProblem>["outcome"];

type CancelReason = ControlRequestCancel["reason"];

/** What Claude gets where nobody can answer. */
const TURN_IS_OVER = "The turn was over before the user answered.";
const SESSION_IS_OVER = "The session was ended before the user answered.";

const TOO_LATE: AnswerProblem = { problem: "stale_request", message: "claude is ending" };

export class Prompts {
  readonly #permissions: PermissionManager;
  readonly #deps: PromptDeps;
  readonly #dialogs: readonly string[];
  /** Claude reads no answer: its stdin is closed, or its stdout has ended. */
  #isOver = false;

  constructor({ settledPrompts, clock, options }: PromptOptions, deps: PromptDeps) {
    const { prompt_timeout_ms: timeoutMs, dialogs = [] } = options;
    const onExpired = (prompt: Prompt, ms: number) => this.#expire(prompt, ms);
    const expiry = timeoutMs === undefined ? undefined : { clock, timeoutMs, onExpired };
    this.#deps = deps;
    this.#dialogs = dialogs;
    this.#permissions = new PermissionManager(settledPrompts, expiry);
  }

  /** Whether any prompt is open. */
  get isAsking(): boolean {
    return this.#permissions.isAsking;
  }

  /** Whether the open turn may wait for the answer to a prompt. */
  isAskingIn(turnId: string | undefined): boolean {
    const { askers } = this.#deps.conversation;
    for (const { asker } of this.#permissions.prompts)
      if (askers.mayBeOf(turnId, asker)) return true;
    return false;
  }

  /** Forwards a request of Claude's to the host, or refuses it. */
  open(event: ControlRequest): void {
    const request = parsePrompt(event, this.#dialogs);
    if (request === undefined) this.#refuse(refuse(event));
    else if (this.#permissions.isFullFor(event.request_id))
      this.#refuse(refuseExcess(event, MAX_OPEN_PROMPTS));
    // Claude fails a request by itself once its stdin is closed.
    else if (!this.#isOver) this.#forward(event.request_id, request);
  }

  /** Closes the prompt and writes the host's answer to Claude. An answer that is not accepted is an error. */
  answer(answer: PromptAnswer): Outcome | undefined {
    const { request_id } = answer;
    const decision = this.#permissions.decide(answer);
    if ("problem" in decision || this.#isOver) {
      reject(answer, "problem" in decision ? decision : TOO_LATE, this.#deps.emit);
      return undefined;
    }
    const { outcome, endsTurn } = decision;
    const prompt = this.#permissions.close(request_id);
    if (endsTurn && prompt !== undefined) this.#recordInterrupt(prompt);
    sendControlResponse(this.#deps.claude, decision.answer);
    this.#deps.emit({
      type: "control_request_resolved",
      request_id,
      outcome,
      ...replyTo(answer),
    });
    return outcome;
  }

  /** Claude withdraws a request. */
  withdraw(requestId: string): void {
    const prompt = this.#permissions.close(requestId);
    if (prompt !== undefined) this.#cancel(prompt, turnEndReason(this.#deps.conversation));
  }

  /** Refuses the open prompts for which everything that may have asked is over, or ends with this turn. */
  refuseOrphans(endingTurn?: string): void {
    const { askers } = this.#deps.conversation;
    for (const prompt of this.#permissions.prompts) {
      if (askers.isOver(prompt.asker, endingTurn))
        this.#cancel(
          prompt,
          turnEndReason(this.#deps.conversation),
          refusalOf(prompt, TURN_IS_OVER),
        );
    }
  }

  /** Refuses all open prompts, before Claude's stdin is closed. */
  refuseAll(): void {
    for (const prompt of this.#permissions.prompts)
      this.#cancel(prompt, "interrupted", refusalOf(prompt, SESSION_IS_OVER));
  }

  /** Claude reads no further answer: what is open stays open until the process is gone. */
  recordOutputEnd(): void {
    this.#isOver = true;
  }

  /** The process is gone: nothing waits for an answer. */
  endRun(): void {
    for (const prompt of this.#permissions.prompts) this.#cancel(prompt, "exited");
  }

  #forward(requestId: string, { asked, forward, clues }: PromptRequest): void {
    const { conversation, requests, emit } = this.#deps;
    const { askers, turns } = conversation;
    const asker = askers.find(clues, turns.openTurnId, requests);
    if (this.#permissions.open(requestId, asked, asker) !== undefined)
      emit(askers.withPlan(askers.withOrigin(forward, asker)));
  }

  #refuse({ answer, message }: Refusal): void {
    if (answer !== undefined) sendControlResponse(this.#deps.claude, answer);
    this.#deps.emit(message);
  }

  #expire(prompt: Prompt, timeoutMs: number): void {
    if (this.#isOver) return;
    this.#cancel(prompt, "timeout", expiredAnswer(prompt, timeoutMs));
    if ("request" in prompt.asked) this.#recordInterrupt(prompt);
  }

  /** Closes a prompt that the host has not answered. Without `answer` Claude waits for none. */
  #cancel(prompt: Prompt, reason: CancelReason, answer?: ControlAnswer): void {
    this.#permissions.close(prompt.requestId);
    if (answer !== undefined) sendControlResponse(this.#deps.claude, answer);
    this.#deps.emit({ type: "control_request_cancel", request_id: prompt.requestId, reason });
  }

  /** The answer to a foreground prompt ends its turn. */
  #recordInterrupt(prompt: Prompt): void {
    if (this.#turnOf(prompt) !== undefined) this.#deps.conversation.turns.recordInterrupt();
  }

  #turnOf({ asker }: Prompt): string | undefined {
    return this.#deps.conversation.askers.turnOf(asker);
  }
}

/** Rejects the host's answer while no process runs. `everSettled` tells a late answer from a wrong one. */
export function rejectAnswer(
  answer: PromptAnswer,
  everSettled: ReadonlySet<string>,
  emit: Emit,
): void {
  reject(answer, notOpen(answer.request_id, everSettled), emit);
}

function reject(answer: PromptAnswer, { problem, message }: AnswerProblem, emit: Emit): void {
  const { request_id } = answer;
  emit(errorMessage(problem, message, { source: "host", request_id, ...replyTo(answer) }));
}
