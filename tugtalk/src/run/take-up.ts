/**
 * The patience with a message that Claude was given in a turn and has not begun after it: it must
 * not hold up those behind it for ever. Nothing on the wire says that Claude has dropped one.
 */
import type { Clock } from "../base/clock.ts";

/** How long an idle Claude may sit on such a message, in ms. */
const ACCEPT_TIMEOUT_MS = 30_000;

export class AcceptDeadline {
  readonly #clock: Clock;
  readonly #onGivenUp: () => void;
  #timer: unknown;

  constructor(clock: Clock, onGivenUp: () => void) {
    this.#clock = clock;
    this.#onGivenUp = onGivenUp;
  }

  /** Starts to wait, or stops, as `isLeft` says: a message is there and no turn is open. */
  look(isLeft: boolean): void {
    if (isLeft === (this.#timer !== undefined)) return;
    if (isLeft) this.#timer = this.#clock.setTimer(() => this.#giveUp(), ACCEPT_TIMEOUT_MS);
    else this.stop();
  }

  stop(): void {
    this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #giveUp(): void {
    this.#timer = undefined;
    this.#onGivenUp();
  }
}
