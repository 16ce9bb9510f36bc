/**
 * Claude's requests to the host's program in one run: calls of its tools, and hooks. Each request to
 * the host is closed exactly once, by an answer or a cancel, and never while Claude still waits.
 * Contract, guarantee 10.
 */
import type { BoundedSet } from "../base/bounded-map.ts";
import type { Clock } from "../base/clock.ts";
import type { ClaudeRequests } from "../claude/claude-requests.ts";
import { generateRequestId } from "../control.ts";
import type { AskerClues } from "../conversation/askers.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { replyTo } from "../messages/envelope.ts";
import type { HookAnswer } from "../messages/hook-messages.ts";
import type { HostToolAnswer } from "../messages/host-tool-messages.ts";
import type { OutboundDraft } from "../types.ts";
import { type AnswerProblem, notOpen, rejectAnswer, stale, TOO_LATE } from "./answer-problem.ts";
import type { CancelReason, OpenRequest, RequestHolder } from "./open-requests.ts";
import type { RunState } from "./run-state.ts";

/** An answer of the host's program. */
export type ProgramAnswer = HostToolAnswer | HookAnswer;

/** One request to the host. */
export type Ask = {
  /** The message for the host, which gets the id. */
  readonly toMessage: (requestId: string) => OutboundDraft;
  /** Undefined: no limit. */
  readonly timeoutMs: number | undefined;
  /** Keeps the host's answer. Or returns why it is none for this request. */
  readonly accept: (answer: ProgramAnswer) => string | undefined;
  /** Keeps that the host has not answered in time. */
  readonly expire: () => void;
};

/** A request of Claude. The hooks of one event are several requests to the host, which close together. */
export type ProgramRequest = {
  /** Claude's own id of it. */
  readonly claudeId: string;
  readonly clues: AskerClues;
  readonly asks: readonly Ask[];
  /** Writes the answer with which Claude goes on. Only where it must have an answer before it is interrupted. */
  readonly letThrough?: () => void;
  /** Writes the host's answer to Claude. */
  readonly settle: () => void;
  /** Writes the substitute for an answer of the host that is not waited for any more. */
  readonly giveUp: (over: "turn" | "session") => void;
};

type OpenAsk = Ask & {
  readonly requestId: string;
  readonly timer: unknown;
  answer?: ProgramAnswer;
  isExpired?: boolean;
};

type Open = OpenRequest & {
  readonly request: ProgramRequest;
  readonly asks: readonly OpenAsk[];
};

export type ProgramDeps = {
  readonly conversation: Conversation;
  readonly requests: ClaudeRequests;
  readonly emit: (message: OutboundDraft) => void;
  /** Once it is ending, Claude reads no answer. */
  readonly state: Pick<RunState, "isEnding">;
};

export type ProgramOptions = {
  readonly clock: Clock;
  readonly newId: () => string;
  /** The ids of settled requests, of earlier processes too. */
  readonly settledPrompts: BoundedSet<string>;
};

/** How many requests of Claude may be open at once. */
export const MAX_OPEN_REQUESTS = 1024;

export class ProgramRequests implements RequestHolder {
  readonly #options: ProgramOptions;
  readonly #deps: ProgramDeps;
  /** By Claude's id. */
  readonly #open = new Map<string, Open>();

  constructor(options: ProgramOptions, deps: ProgramDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Whether no further request can be opened. */
  get isFull(): boolean {
    return this.#open.size >= MAX_OPEN_REQUESTS;
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  get openRequests(): Iterable<OpenRequest> {
    return this.#open.values();
  }

  /** Whether a turn of the main conversation cannot begin before the host has answered. */
  get holdsMessage(): boolean {
    return this.#open.values().some(({ request }) => request.letThrough !== undefined);
  }

  /** Asks the host, unless it is asked already. Claude fails a request by itself once its stdin is closed. */
  open(request: ProgramRequest): void {
    if (this.#deps.state.isEnding || this.#open.has(request.claudeId)) return;
    const { conversation, requests, emit } = this.#deps;
    const { askers, turns } = conversation;
    if (request.letThrough !== undefined)
      for (const message of conversation.recordPromptHook()) emit(message);
    const asker = askers.find(request.clues, turns.openTurnId, requests);
    const asks = request.asks.map((ask) => this.#start(ask, request.claudeId));
    this.#open.set(request.claudeId, this.#opened({ request, asker, asks }));
    for (const { requestId, toMessage } of asks)
      emit(askers.withOrigin(toMessage(requestId), asker));
  }

  /** Takes the host's answer, or rejects it with an error. */
  answer(answer: ProgramAnswer): void {
    const { request_id } = answer;
    const [open, ask] = this.#find(request_id);
    const problem = this.#problemOf(request_id, ask) ?? this.#fault(answer, ask);
    if (problem !== undefined) rejectAnswer(answer, problem, this.#deps.emit);
    else if (open !== undefined && ask !== undefined) {
      ask.answer = answer;
      this.#settle(open);
    }
  }

  /** An interrupt is about to be written. Returns whether a message was let through for it. */
  prepareInterrupt(): boolean {
    const held = [...this.#open.values()].filter(({ request }) => request.letThrough !== undefined);
    if (this.#deps.state.isEnding || held.length === 0) return false;
    for (const open of held) {
      open.request.letThrough?.();
      open.cancel("interrupted");
    }
    return true;
  }

  #opened(fields: Pick<Open, "request" | "asker" | "asks">): Open {
    const { request } = fields;
    const open: Open = {
      ...fields,
      claudeId: request.claudeId,
      refuse: (over, reason) => {
        request.giveUp(over);
        this.#cancel(open, reason);
      },
      cancel: (reason) => this.#cancel(open, reason),
    };
    return open;
  }

  #start(ask: Ask, claudeId: string): OpenAsk {
    const { clock, newId } = this.#options;
    const requestId = generateRequestId(newId);
    const { timeoutMs } = ask;
    const timer = timeoutMs && clock.setTimer(() => this.#expire(claudeId, requestId), timeoutMs);
    return { ...ask, requestId, timer };
  }

  #find(requestId: string): [Open, OpenAsk] | [] {
    for (const open of this.#open.values())
      for (const ask of open.asks) if (ask.requestId === requestId) return [open, ask];
    return [];
  }

  #problemOf(requestId: string, ask: OpenAsk | undefined): AnswerProblem | undefined {
    if (ask === undefined) return notOpen(requestId, this.#options.settledPrompts);
    if (this.#deps.state.isEnding) return TOO_LATE;
    return isDecided(ask) ? stale(`request ${requestId} is already answered`) : undefined;
  }

  #fault(answer: ProgramAnswer, ask: OpenAsk | undefined): AnswerProblem | undefined {
    const message = ask?.accept(answer);
    return message === undefined ? undefined : { problem: "bad_message", message };
  }

  #expire(claudeId: string, requestId: string): void {
    const open = this.#open.get(claudeId);
    const ask = open?.asks.find((one) => one.requestId === requestId);
    if (open === undefined || ask === undefined || this.#deps.state.isEnding || isDecided(ask))
      return;
    ask.isExpired = true;
    ask.expire();
    this.#settle(open);
  }

  /** Answers Claude when every request to the host is answered or has expired. */
  #settle(open: Open): void {
    if (!open.asks.every(isDecided)) return;
    open.request.settle();
    this.#close(open);
    const { emit } = this.#deps;
    for (const { requestId: request_id, answer } of open.asks)
      if (answer === undefined)
        emit({ type: "control_request_cancel", request_id, reason: "timeout" });
      else {
        const resolved = { type: "control_request_resolved", outcome: "answered" } as const;
        emit({ ...resolved, request_id, ...replyTo(answer) });
      }
  }

  #cancel(open: Open, reason: CancelReason): void {
    this.#close(open);
    const { emit } = this.#deps;
    for (const { requestId: request_id, answer } of open.asks) {
      emit({ type: "control_request_cancel", request_id, reason });
      // It was kept until the others were answered.
      if (answer !== undefined)
        rejectAnswer(answer, stale("claude has stopped waiting for it"), emit);
    }
  }

  #close({ request, asks }: Open): void {
    this.#open.delete(request.claudeId);
    for (const { requestId, timer } of asks) {
      this.#options.clock.clearTimer(timer);
      this.#options.settledPrompts.add(requestId);
    }
  }
}

function isDecided({ answer, isExpired }: OpenAsk): boolean {
  return answer !== undefined || isExpired === true;
}
