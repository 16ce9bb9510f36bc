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
import { parsePrompt } from "./prompt-request.ts";
import { type Refusal, refuse, refuseExcess } from "./refusal.ts";

export type PromptOptions = {
  readonly clock: Clock;
  /** The ids of settled prompts, of earlier processes too. */
  readonly settledPrompts: BoundedSet<string>;
  /** How long a prompt may stay open, in ms; undefined: for ever. */
  readonly promptTimeoutMs: number | undefined;
  /** The kinds of dialog that the host can show. */
  readonly dialogs: readonly string[];
};

/** Where prompts come from and go to. */
export type PromptDeps = {
  readonly claude: LineSink;
  readonly conversation: Conversation;
  /** What the host has asked of Claude: a tool that it calls may ask a person in its turn. */
  readonly requests: ClaudeRequests;
  readonly emit: Emit;
};

/** What Claude is told where nobody can answer any more. */
const TURN_IS_OVER = "The turn was over before the user answered.";
const SESSION_IS_OVER = "The session was ended before the user answered.";

/** Claude is ending: an answer would not reach it. */
const TOO_LATE: AnswerProblem = { problem: "stale_request", message: "claude is ending" };

/** How the host answered. */
export type Outcome = Exclude<Decision, AnswerProblem>["outcome"];

type Emit = (message: OutboundDraft) => void;

export class Prompts {
  readonly #permissions: PermissionManager;
  readonly #ends: PromptDeps;
  readonly #dialogs: readonly string[];
  #isOver = false;

  constructor(options: PromptOptions, ends: PromptDeps) {
    this.#ends = ends;
    this.#dialogs = options.dialogs;
    this.#permissions = this.#newPermissions(options);
  }

  /** Whether any prompt is open. */
  get isAsking(): boolean {
    return this.#permissions.isAsking;
  }

  /** Takes a request of Claude's: a person is asked, or it is refused. */
  open(event: ControlRequest): void {
    const request = parsePrompt(event, this.#dialogs);
    if (request === undefined) {
      this.#refuse(refuse(event));
      return;
    }
    if (this.#permissions.isFullFor(event.request_id)) {
      this.#refuse(refuseExcess(event, MAX_OPEN_PROMPTS));
      return;
    }
    // Claude's stdin is closed: it has failed the request by itself, and no answer would reach it.
    if (this.#isOver) return;
    const { asked, forward, clues } = request;
    const { conversation, requests, emit } = this.#ends;
    const { askers, turns } = conversation;
    const hostCalls = clues.server === undefined ? [] : requests.openToolCalls(clues.server);
    const asker = askers.find(clues, turns.openTurnId, hostCalls);
    if (this.#permissions.open(event.request_id, asked, asker) === undefined) return;
    emit(askers.withOrigin(forward, asker));
  }

  /** Closes the prompt and writes the host's answer to Claude. An answer that is not accepted is an error. */
  answer(answer: PromptAnswer): Outcome | undefined {
    const { request_id } = answer;
    const { claude, emit } = this.#ends;
    const decision = this.#permissions.decide(answer);
    if ("problem" in decision || this.#isOver) {
      reject(answer, "problem" in decision ? decision : TOO_LATE, emit);
      return undefined;
    }
    const prompt = this.#permissions.close(request_id);
    const turnId = prompt && this.#turnOf(prompt);
    if (decision.endsTurn && turnId !== undefined) this.#noteInterrupt();
    sendControlResponse(claude, decision.answer);
    const { outcome } = decision;
    emit({ type: "control_request_resolved", request_id, outcome, ...replyTo(answer) });
    return outcome;
  }

  /** Claude takes a question back. */
  withdraw(requestId: string): void {
    if (this.#permissions.close(requestId) !== undefined)
      this.#emitCancelled(requestId, this.#withdrawnOrInterrupted);
  }

  /** A turn is over: what its foreground calls have asked and nobody has answered is refused. */
  endTurn(turnId: string): void {
    const reason = this.#withdrawnOrInterrupted;
    for (const prompt of this.#permissions.prompts) {
      if (this.#turnOf(prompt) === turnId)
        this.#refuseOpen(prompt, refusalOf(prompt, TURN_IS_OVER), reason);
    }
  }

  /** A tool that the host itself has called is through: what only that call can have asked is refused. */
  endHostCall(id: string): void {
    const orphans = this.#permissions.prompts.filter(
      ({ asker: { hostCalls, candidates } }) =>
        hostCalls.delete(id) && hostCalls.size === 0 && candidates.length === 0,
    );
    for (const prompt of orphans)
      this.#refuseOpen(prompt, refusalOf(prompt, TURN_IS_OVER), "withdrawn");
  }

  /** Claude's stdin is about to be closed: all that is open is refused while that can be heard. */
  refuseAll(): void {
    this.#isOver = true;
    for (const prompt of this.#permissions.prompts)
      this.#refuseOpen(prompt, refusalOf(prompt, SESSION_IS_OVER), "interrupted");
  }

  /** Nothing reaches Claude any more: what is open stays so until the process is gone. */
  noteOutputEnd(): void {
    this.#isOver = true;
  }

  /** The process is gone: nobody waits for an answer. */
  endRun(): void {
    this.#isOver = true;
    for (const { requestId } of this.#permissions.prompts) {
      this.#permissions.close(requestId);
      this.#emitCancelled(requestId, "exited");
    }
  }

  /** An interrupt is one of a turn: what comes after that turn is not touched by it. */
  get #withdrawnOrInterrupted(): "withdrawn" | "interrupted" {
    return this.#ends.conversation.turns.view?.isInterrupted === true ? "interrupted" : "withdrawn";
  }

  #noteInterrupt(): void {
    this.#ends.conversation.turns.noteInterrupt();
  }

  #turnOf({ asker }: Prompt): string | undefined {
    return this.#ends.conversation.askers.turnOf(asker);
  }

  #newPermissions({ settledPrompts, promptTimeoutMs, clock }: PromptOptions): PermissionManager {
    if (promptTimeoutMs === undefined) return new PermissionManager(settledPrompts);
    const onExpired = (prompt: Prompt) => this.#expire(prompt, promptTimeoutMs);
    return new PermissionManager(settledPrompts, { clock, timeoutMs: promptTimeoutMs, onExpired });
  }

  #refuse({ answer, message }: Refusal): void {
    if (answer !== undefined) sendControlResponse(this.#ends.claude, answer);
    this.#ends.emit(message);
  }

  #expire(prompt: Prompt, timeoutMs: number): void {
    if (this.#isOver) return;
    this.#refuseOpen(prompt, expiredAnswer(prompt, timeoutMs), "timeout");
    if ("request" in prompt.asked && this.#turnOf(prompt) !== undefined) this.#noteInterrupt();
  }

  #refuseOpen(prompt: Prompt, answer: ControlAnswer, reason: ControlRequestCancel["reason"]): void {
    this.#permissions.close(prompt.requestId);
    sendControlResponse(this.#ends.claude, answer);
    this.#emitCancelled(prompt.requestId, reason);
  }

  #emitCancelled(request_id: string, reason: ControlRequestCancel["reason"]): void {
    this.#ends.emit({ type: "control_request_cancel", request_id, reason });
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
  emit({
    type: "error",
    code: problem,
    message,
    recoverable: true,
    source: "host",
    request_id: answer.request_id,
    ...replyTo(answer),
  });
}
