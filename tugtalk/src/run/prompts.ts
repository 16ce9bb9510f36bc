/**
 * The prompts of one run, from Claude's request to the answer that is written: forwarded, answered,
 * withdrawn, expired or refused. `permissions.ts` turns an answer into a decision. Contract, guarantee 4.
 */

import type { BoundedSet } from "../base/bounded-map.ts";
import type { Clock } from "../base/clock.ts";
import type { ClaudeRequests } from "../claude/claude-requests.ts";
import { type ControlAnswer, type LineSink, sendControlResponse } from "../control.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { replyTo } from "../messages/envelope.ts";
import type { SessionOptions } from "../messages/options.ts";
import {
  type Decision,
  expiredAnswer,
  MAX_OPEN_PROMPTS,
  PermissionManager,
  type Prompt,
  type PromptAnswer,
  refusalOf,
} from "../permissions.ts";
import type { ControlRequest } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";
import { type AnswerProblem, rejectAnswer, TOO_LATE } from "./answer-problem.ts";
import type { CancelReason, OpenRequest, RequestHolder } from "./open-requests.ts";
import { type PromptRequest, parsePrompt } from "./prompt-request.ts";
import { type Refusal, refuse, refuseExcess } from "./refusal.ts";
import type { RunState } from "./run-state.ts";

export type PromptOptions = {
  readonly clock: Clock;
  /** The ids of settled prompts, of earlier processes too. */
  readonly settledPrompts: BoundedSet<string>;
  readonly options: Pick<SessionOptions, "prompt_timeout_ms" | "dialogs">;
};

export type PromptDeps = {
  readonly claude: LineSink;
  readonly conversation: Conversation;
  /** The host's pending requests: an MCP tool that the host calls may ask a person. */
  readonly requests: ClaudeRequests;
  readonly emit: (message: OutboundDraft) => void;
  /** Once it is ending, Claude reads no answer. */
  readonly state: Pick<RunState, "isEnding">;
};

/** How the host answered. */
export type Outcome = Exclude<Decision, AnswerProblem>["outcome"];

/** The answer that Claude gets where nobody can give one. */
const OVER = {
  turn: "The turn was over before the user answered.",
  session: "The session was ended before the user answered.",
} as const;

export class Prompts implements RequestHolder {
  readonly #permissions: PermissionManager;
  readonly #deps: PromptDeps;
  readonly #dialogs: readonly string[];

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

  /** The open prompts, the oldest first. */
  get openRequests(): Iterable<OpenRequest> {
    return this.#permissions.prompts.map((prompt) => ({
      claudeId: prompt.requestId,
      asker: prompt.asker,
      refuse: (over, reason) => this.#cancel(prompt, reason, refusalOf(prompt, OVER[over])),
      cancel: (reason) => this.#cancel(prompt, reason),
    }));
  }

  /** Forwards a request of Claude's to the host, or refuses it. */
  open(event: ControlRequest): void {
    const request = parsePrompt(event, this.#dialogs);
    if (request === undefined) this.#refuse(refuse(event));
    else if (this.#permissions.isFullFor(event.request_id))
      this.#refuse(refuseExcess(event, MAX_OPEN_PROMPTS));
    // Claude fails a request by itself once its stdin is closed.
    else if (!this.#deps.state.isEnding) this.#forward(event.request_id, request);
  }

  /** Closes the prompt and writes the host's answer to Claude. An answer that is not accepted is an error. */
  answer(answer: PromptAnswer): Outcome | undefined {
    const { request_id } = answer;
    const decision = this.#permissions.decide(answer);
    if ("problem" in decision || this.#deps.state.isEnding) {
      rejectAnswer(answer, "problem" in decision ? decision : TOO_LATE, this.#deps.emit);
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
    if (this.#deps.state.isEnding) return;
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
