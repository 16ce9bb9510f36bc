/**
 * What Claude has asked of the host's program in one run: calls of its tools, and hooks. Each request to
 * the host is closed exactly once, by an answer or a cancel, and never while Claude still waits.
 * Contract, guarantee 10.
 */
import type { BoundedSet } from "../base/bounded-map.ts";
import type { Clock } from "../base/clock.ts";
import type { ClaudeRequests } from "../claude/claude-requests.ts";
import { generateRequestId } from "../control.ts";
import type { Asker, AskerClues } from "../conversation/askers.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { replyTo } from "../messages/envelope.ts";
import { errorMessage } from "../messages/errors.ts";
import type { HookAnswer } from "../messages/hook-messages.ts";
import type { HostToolAnswer } from "../messages/host-tool-messages.ts";
import type { ControlRequestCancel } from "../messages/prompt-messages.ts";
import { type AnswerProblem, notOpen } from "../permissions.ts";
import type { OutboundDraft } from "../types.ts";
import { turnEndReason, type Waiting } from "./asked.ts";

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
  /** Writes with what Claude goes on. Only where it must have an answer before it is interrupted. */
  readonly letThrough?: () => void;
  /** Writes to Claude what the host has said. */
  readonly settle: () => void;
  /** Writes what Claude gets where the host has not answered and is not waited for any more. */
  readonly giveUp: (why: "turn" | "session") => void;
};

type OpenAsk = Ask & {
  readonly requestId: string;
  readonly timer: unknown;
  answer?: ProgramAnswer;
  isExpired?: boolean;
};

type Open = {
  readonly request: ProgramRequest;
  readonly asker: Asker;
  readonly asks: readonly OpenAsk[];
};

type Emit = (message: OutboundDraft) => void;

export type ProgramDeps = {
  readonly conversation: Conversation;
  readonly requests: ClaudeRequests;
  readonly emit: Emit;
};

export type ProgramOptions = {
  readonly clock: Clock;
  readonly newId: () => string;
  /** The ids of settled requests, of earlier processes too. */
  readonly settled: BoundedSet<string>;
};

type CancelReason = ControlRequestCancel["reason"];

/** How many requests of Claude may be open at once. */
export const MAX_OPEN_REQUESTS = 1024;

const stale = (message: string): AnswerProblem => ({ problem: "stale_request", message });

export class ProgramRequests implements Waiting {
  readonly #options: ProgramOptions;
  readonly #deps: ProgramDeps;
  /** By Claude's id. */
  readonly #open = new Map<string, Open>();
  /** Claude reads no answer. */
  #isOver = false;

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

  /** Whether the open turn may wait for the host's program. */
  isAskingIn(turnId: string | undefined): boolean {
    const { askers } = this.#deps.conversation;
    for (const { asker } of this.#open.values()) if (askers.mayBeOf(turnId, asker)) return true;
    return false;
  }

  /** Whether a turn of the main conversation cannot begin before the host has answered. */
  get holdsMessage(): boolean {
    return this.#open.values().some(({ request }) => request.letThrough !== undefined);
  }

  /** Asks the host, unless it is asked already. Claude fails a request by itself once its stdin is closed. */
  open(request: ProgramRequest): void {
    if (this.#isOver || this.#open.has(request.claudeId)) return;
    const { conversation, requests, emit } = this.#deps;
    const { askers, turns } = conversation;
    const asker = askers.find(request.clues, turns.openTurnId, requests);
    const asks = request.asks.map((ask) => this.#start(ask, request.claudeId));
    this.#open.set(request.claudeId, { request, asker, asks });
    for (const { requestId, toMessage } of asks)
      emit(askers.withOrigin(toMessage(requestId), asker));
  }

  /** Takes the host's answer, or rejects it with an error. */
  answer(answer: ProgramAnswer): void {
    const { request_id } = answer;
    const [open, ask] = this.#find(request_id);
    const problem = this.#problemOf(request_id, ask) ?? this.#fault(answer, ask);
    if (problem !== undefined) rejectProgramAnswer(answer, problem, this.#deps.emit);
    else if (open !== undefined && ask !== undefined) {
      ask.answer = answer;
      this.#settle(open);
    }
  }

  withdraw(claudeId: string): void {
    const open = this.#open.get(claudeId);
    if (open !== undefined) this.#cancel(open, turnEndReason(this.#deps.conversation));
  }

  /** Gives up what Claude has not withdrawn although all that may have asked is over. */
  refuseOrphans(endingTurn?: string): void {
    const { askers } = this.#deps.conversation;
    for (const open of this.#open.values())
      if (askers.isOver(open.asker, endingTurn))
        this.#giveUp(open, "turn", turnEndReason(this.#deps.conversation));
  }

  /** An interrupt is about to be written. Returns whether a message was let through for it. */
  prepareInterrupt(): boolean {
    const held = [...this.#open.values()].filter(({ request }) => request.letThrough !== undefined);
    if (this.#isOver || held.length === 0) return false;
    for (const open of held) {
      open.request.letThrough?.();
      this.#cancel(open, "interrupted");
    }
    return true;
  }

  refuseAll(): void {
    for (const open of this.#open.values()) this.#giveUp(open, "session", "interrupted");
  }

  recordOutputEnd(): void {
    this.#isOver = true;
  }

  endRun(): void {
    for (const open of this.#open.values()) this.#cancel(open, "exited");
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
    if (ask === undefined) return notOpen(requestId, this.#options.settled);
    if (this.#isOver) return stale("claude is ending");
    return isDecided(ask) ? stale(`request ${requestId} is already answered`) : undefined;
  }

  #fault(answer: ProgramAnswer, ask: OpenAsk | undefined): AnswerProblem | undefined {
    const message = ask?.accept(answer);
    return message === undefined ? undefined : { problem: "bad_message", message };
  }

  #expire(claudeId: string, requestId: string): void {
    const open = this.#open.get(claudeId);
    const ask = open?.asks.find((one) => one.requestId === requestId);
    if (open === undefined || ask === undefined || this.#isOver || isDecided(ask)) return;
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

  #giveUp(open: Open, why: "turn" | "session", reason: CancelReason): void {
    if (this.#isOver) return;
    open.request.giveUp(why);
    this.#cancel(open, reason);
  }

  #cancel(open: Open, reason: CancelReason): void {
    this.#close(open);
    const { emit } = this.#deps;
    for (const { requestId: request_id, answer } of open.asks) {
      emit({ type: "control_request_cancel", request_id, reason });
      // It was kept until the others were answered.
      if (answer !== undefined)
        rejectProgramAnswer(answer, stale("claude has stopped waiting for it"), emit);
    }
  }

  #close({ request, asks }: Open): void {
    this.#open.delete(request.claudeId);
    for (const { requestId, timer } of asks) {
      this.#options.clock.clearTimer(timer);
      this.#options.settled.add(requestId);
    }
  }
}

function isDecided({ answer, isExpired }: OpenAsk): boolean {
  return answer !== undefined || isExpired === true;
}

/** Rejects an answer of the program. */
export function rejectProgramAnswer(
  { request_id, id }: ProgramAnswer,
  { problem, message }: AnswerProblem,
  emit: Emit,
): void {
  emit(errorMessage(problem, message, { source: "host", request_id, ...replyTo({ id }) }));
}
