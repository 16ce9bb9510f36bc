/**
 * What one run waits for and does not wait for for ever: a message that is to be taken up, a turn that
 * is to be interrupted once it begins, an answer that the model owes.
 */
import type { Clock } from "../base/clock.ts";
import type { Turns } from "../conversation/turns.ts";
import type { ClaudeMessage } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";
import { InterruptRetry } from "./late-interrupt.ts";
import {
  type Stall,
  StallDetector,
  type StallLimits,
  type StallOptions,
} from "./stall-detector.ts";
import { AcceptDeadline } from "./take-up.ts";

export type PatienceOptions = {
  readonly clock: Clock;
  readonly stallLimits: StallLimits;
};

/** What is known of the run. */
export type RunView = Pick<StallOptions, "facts" | "tellsBrokenStreams"> & {
  readonly turns: Turns;
};

/** What is done when patience ends. */
export type PatienceEvents = {
  /** The open turn has begun, and was to be interrupted before. */
  readonly onInterruptRetry: () => void;
  /** Claude will not begin what it has been given. */
  readonly onGivenUp: () => void;
  /** The open turn has gone silent. */
  readonly onStall: (stall: Stall) => void;
};

export class Patience {
  readonly #turns: Turns;
  readonly #acceptDeadline: AcceptDeadline;
  readonly #interruptRetry: InterruptRetry;
  readonly #silence: StallDetector;

  constructor(
    { clock, stallLimits }: PatienceOptions,
    { turns, facts, tellsBrokenStreams }: RunView,
    { onInterruptRetry, onGivenUp, onStall }: PatienceEvents,
  ) {
    this.#turns = turns;
    this.#acceptDeadline = new AcceptDeadline(clock, onGivenUp);
    this.#interruptRetry = new InterruptRetry(turns, onInterruptRetry);
    this.#silence = new StallDetector({
      clock,
      limits: stallLimits,
      facts,
      tellsBrokenStreams,
      onStall,
    });
  }

  /** The open turn has gone silent, and nothing has come since. */
  get isStalled(): boolean {
    return this.#silence.isStalled;
  }

  /** Claude has taken note of an interrupt, and still has these messages before it. */
  noteInterruptTaken(stillQueued: readonly string[]): void {
    this.#interruptRetry.note(stillQueued);
  }

  /** Takes one line of the conversation with what it meant. */
  note(event: ClaudeMessage, emitted: readonly OutboundDraft[]): void {
    this.#silence.note(event, emitted);
  }

  /** Claude was not read for a while, since the host did not read. */
  noteUnread(): void {
    this.#silence.noteUnread();
  }

  /** The turn has ended, and all that it was doing. */
  endTurn(): void {
    this.#silence.endTurn();
  }

  /** A line has been applied: begins to wait for what was given, or stops, as things stand now. */
  lookAtMessages(): void {
    this.#interruptRetry.look();
    this.#acceptDeadline.look(this.#turns.openTurnId === undefined && !this.#turns.isIdle);
  }

  /** Something has changed, by a line or without one: begins to wait for an answer, or stops. */
  lookAtSilence(): void {
    this.#silence.look();
  }

  stop(): void {
    this.#acceptDeadline.stop();
    this.#silence.stop();
  }
}
