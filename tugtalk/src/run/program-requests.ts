/**
 * What Claude has asked of the host's program in one run: calls of its tools. Each request is closed
 * exactly once, by an answer or a cancel, and never while Claude still waits. Contract, guarantee 10.
 */
import type { BoundedSet } from "../base/bounded-map.ts";
import type { Clock } from "../base/clock.ts";
import type { ClaudeRequests } from "../claude/claude-requests.ts";
import { generateRequestId } from "../control.ts";
import type { Asker, AskerClues } from "../conversation/askers.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { replyTo } from "../messages/envelope.ts";
import { errorMessage } from "../messages/errors.ts";
import type { HostToolAnswer } from "../messages/host-tool-messages.ts";
import type { ControlRequestCancel } from "../messages/prompt-messages.ts";
import { type AnswerProblem, notOpen } from "../permissions.ts";
import type { OutboundDraft } from "../types.ts";

/** An answer of the host's program. */
export type ProgramAnswer = HostToolAnswer;

/** Why Claude gets something else than the host's answer. */
export type GivenUp = "timeout" | "turn_over" | "session_over";

/** A request of Claude to the program, and how it is settled towards Claude. */
export type ProgramRequest = {
  /** Claude's own id of it. */
  readonly claudeId: string;
  /** The message for the host, which gets the id. */
  readonly toMessage: (requestId: string) => OutboundDraft;
  readonly clues: AskerClues;
  /** Undefined: no limit. */
  readonly timeoutMs: number | undefined;
  /** Writes the host's answer to Claude. Or returns why it is none for this request. */
  readonly accept: (answer: ProgramAnswer) => string | undefined;
  /** Writes what Claude gets in place of an answer. */
  readonly giveUp: (why: GivenUp) => void;
};

type Open = ProgramRequest & { readonly asker: Asker; readonly timer: unknown };

export type ProgramDeps = {
  readonly conversation: Conversation;
  readonly requests: ClaudeRequests;
  readonly emit: (message: OutboundDraft) => void;
};

export type ProgramOptions = {
  readonly clock: Clock;
  readonly newId: () => string;
  /** The ids of settled requests, of earlier processes too. */
  readonly settled: BoundedSet<string>;
};

type CancelReason = ControlRequestCancel["reason"];

/** How many requests may be open at once. */
export const MAX_OPEN_REQUESTS = 1024;

const TOO_LATE: AnswerProblem = { problem: "stale_request", message: "claude is ending" };

export class ProgramRequests {
  readonly #options: ProgramOptions;
  readonly #deps: ProgramDeps;
  readonly #open = new Map<string, Open>();
  /** Claude reads no answer. */
  #isOver = false;

  constructor(options: ProgramOptions, deps: ProgramDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Asks the host. Claude fails a request by itself once its stdin is closed. */
  open(request: ProgramRequest): void {
    if (this.#isOver || this.#find(({ claudeId }) => claudeId === request.claudeId)) return;
    const { conversation, requests, emit } = this.#deps;
    const { askers, turns } = conversation;
    const { clock, newId } = this.#options;
    const requestId = generateRequestId(newId);
    const asker = askers.find(request.clues, turns.openTurnId, requests);
    const { timeoutMs } = request;
    const timer =
      timeoutMs === undefined
        ? undefined
        : clock.setTimer(() => this.#giveUp(requestId, "timeout", "timeout"), timeoutMs);
    this.#open.set(requestId, { ...request, asker, timer });
    emit(askers.withOrigin(request.toMessage(requestId), asker));
  }

  /** Takes the host's answer, or rejects it with an error. */
  answer(answer: ProgramAnswer): void {
    const { request_id } = answer;
    const { emit } = this.#deps;
    const open = this.#open.get(request_id);
    if (open === undefined || this.#isOver) {
      const problem = open ? TOO_LATE : notOpen(request_id, this.#options.settled);
      rejectProgramAnswer(answer, problem, emit);
      return;
    }
    const fault = open.accept(answer);
    if (fault !== undefined) {
      rejectProgramAnswer(answer, { problem: "bad_message", message: fault }, emit);
      return;
    }
    this.#close(request_id);
    emit({ type: "control_request_resolved", request_id, outcome: "answered", ...replyTo(answer) });
  }

  /** Claude has stopped waiting for the request of this id of its own. */
  withdraw(claudeId: string): void {
    const id = this.#find((open) => open.claudeId === claudeId);
    if (id !== undefined) this.#cancel(id, this.#turnEndReason);
  }

  /** Gives up what was asked in this turn, if Claude has not withdrawn it by then. */
  endTurn(turnId: string): void {
    for (const { asker } of this.#open.values()) asker.isTurnOver ||= asker.turnId === turnId;
    this.refuseOrphans();
  }

  /** Gives up the requests for which everything that may have asked is over. */
  refuseOrphans(): void {
    const { askers } = this.#deps.conversation;
    for (const [id, { asker }] of this.#open)
      if (askers.isOver(asker)) this.#giveUp(id, "turn_over", this.#turnEndReason);
  }

  /** Gives up all, before Claude's stdin is closed. */
  refuseAll(): void {
    for (const id of this.#open.keys()) this.#giveUp(id, "session_over", "interrupted");
  }

  /** Claude reads no further answer: what is open stays open until the process is gone. */
  recordOutputEnd(): void {
    this.#isOver = true;
  }

  /** The process is gone: nothing waits for an answer. */
  endRun(): void {
    for (const id of this.#open.keys()) this.#cancel(id, "exited");
  }

  #giveUp(requestId: string, why: GivenUp, reason: CancelReason): void {
    if (this.#isOver) return;
    this.#open.get(requestId)?.giveUp(why);
    this.#cancel(requestId, reason);
  }

  #cancel(request_id: string, reason: CancelReason): void {
    this.#close(request_id);
    this.#deps.emit({ type: "control_request_cancel", request_id, reason });
  }

  #close(requestId: string): void {
    this.#options.clock.clearTimer(this.#open.get(requestId)?.timer);
    this.#open.delete(requestId);
    this.#options.settled.add(requestId);
  }

  #find(fits: (open: Open) => boolean): string | undefined {
    for (const [id, open] of this.#open) if (fits(open)) return id;
    return undefined;
  }

  /** An interrupt counts until the interrupted turn has ended. */
  get #turnEndReason(): CancelReason {
    return this.#deps.conversation.turns.view?.isInterrupted === true ? "interrupted" : "withdrawn";
  }
}

/** Rejects an answer of the program. */
export function rejectProgramAnswer(
  { request_id, id }: ProgramAnswer,
  { problem, message }: AnswerProblem,
  emit: (message: OutboundDraft) => void,
): void {
  emit(errorMessage(problem, message, { source: "host", request_id, ...replyTo({ id }) }));
}
