/**
 * The interrupt of the open turn: sent once, sent again where it came too early, and the limit within
 * which the turn must end. Protocol reference §10.
 */

import type { Clock } from "../base/clock.ts";
import { stringsIn } from "../base/json.ts";
import type { ClaudeRequests } from "../claude/claude-requests.ts";
import type { Turns } from "../conversation/turns.ts";
import { errorMessage } from "../messages/errors.ts";
import type { OutboundDraft } from "../types.ts";
import { Deadline } from "./deadline.ts";

/** How long Claude may take to answer an interrupt of our own, in ms. */
const REQUEST_TIMEOUT_MS = 30_000;

/**
 * How long a turn may go on although Claude has accepted its interrupt at the hook of its message, in ms.
 * 2.1.197 can lose the interrupt there. A second interrupt without need would meet the hook of the next turn,
 * and end that turn.
 */
const LOST_AFTER_MS = 500;

export type InterruptOptions = {
  readonly clock: Clock;
  readonly options: { readonly interrupt_timeout_ms: number };
};

export type InterruptDeps = {
  readonly turns: Turns;
  readonly requests: ClaudeRequests;
  readonly emit: (message: OutboundDraft) => void;
  /** The interrupted turn did not end in time: the process must be stopped. */
  readonly onUnresponsive: () => void;
};

export class Interrupts {
  readonly #turns: Turns;
  readonly #requests: ClaudeRequests;
  readonly #deadline: Deadline;
  readonly #lostDeadline: Deadline;
  /** The turn that was interrupted last. */
  #turnId: string | undefined;
  /** The turn to interrupt again once it begins. */
  #retryTurn: string | undefined;
  /** A turn whose interrupt Claude may accept and lose. */
  #unsureTurn: string | undefined;

  constructor({ clock, options }: InterruptOptions, deps: InterruptDeps) {
    const { interrupt_timeout_ms: ms } = options;
    this.#turns = deps.turns;
    this.#requests = deps.requests;
    this.#deadline = new Deadline(clock, ms, () => {
      const message = `claude did not end the interrupted turn in ${ms} ms: it is stopped`;
      deps.emit(errorMessage("claude_unresponsive", message));
      deps.onUnresponsive();
    });
    this.#lostDeadline = new Deadline(clock, LOST_AFTER_MS, () => {
      this.#unsureTurn = undefined;
      this.#request();
    });
  }

  /** The host wants the open turn to end: its prompts and its result will say so. */
  record(): void {
    if (this.#turns.openTurnId === undefined) return;
    this.#turnId = this.#turns.openTurnId;
    this.#turns.recordInterrupt();
  }

  /** Asks Claude to end the open turn. Without one, an interrupt can still end background work. */
  send(hasBackgroundTasks = false): void {
    if (this.#turns.openTurnId === undefined && !hasBackgroundTasks) return;
    this.record();
    this.#request();
  }

  /** The same, unless Claude was asked before. `isBeginning`: without a turn, one is about to begin. */
  sendOnce(isBeginning: boolean): void {
    const { openTurnId } = this.#turns;
    if (openTurnId === undefined ? isBeginning : openTurnId !== this.#turnId) this.send(true);
  }

  /**
   * Claude accepted an interrupt and keeps these messages in its queue. If the interrupted turn is for
   * one of them, it has not begun and would run: it is interrupted again when it begins.
   */
  recordAccepted(stillQueued: readonly string[]): void {
    const { openTurnId } = this.#turns;
    // The turn may have ended by itself, and the next one is open.
    const isRetried = openTurnId === this.#turnId && this.#turns.isFor(stillQueued);
    this.#retryTurn = isRetried ? openTurnId : undefined;
  }

  /** The next interrupt comes between the hook of a message and its turn, where 2.1.197 can lose it. */
  recordUnsure(): void {
    this.#unsureTurn = this.#turns.openTurnId;
  }

  /** Starts or stops the limit, and interrupts again if the time has come. */
  check(isEnding: boolean): void {
    const isOpen = this.#turnId !== undefined && this.#turns.isOpen(this.#turnId);
    this.#deadline.check(isOpen && !isEnding ? this.#turnId : undefined);
    const { openTurnId, hasBegun } = this.#turns;
    const isUnsure = this.#unsureTurn === openTurnId && hasBegun;
    this.#lostDeadline.check(isUnsure && !isEnding ? openTurnId : undefined);
    this.#retry();
  }

  stop(): void {
    this.#deadline.stop();
    this.#lostDeadline.stop();
  }

  #retry(): void {
    if (this.#retryTurn === undefined) return;
    const isSame = this.#retryTurn === this.#turns.openTurnId;
    if (isSame && !this.#turns.hasBegun) return;
    this.#retryTurn = undefined;
    if (isSame) this.#request();
  }

  #request(): void {
    this.#requests.ask({ subtype: "interrupt" }, REQUEST_TIMEOUT_MS, (end) => {
      if (end.kind === "answered")
        this.recordAccepted(stringsIn(end.answer.response?.["still_queued"]));
    });
  }
}
