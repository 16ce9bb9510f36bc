/** A time limit that applies to one thing at a time. */
import type { Clock } from "../base/clock.ts";

export class Deadline {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #onOverdue: () => void;
  #subject: string | undefined;
  #timer: unknown;

  constructor(clock: Clock, ms: number, onOverdue: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#onOverdue = onOverdue;
  }

  /** Starts the limit when `subject` appears, and again when it is another one. Undefined stops it. */
  check(subject: string | undefined): void {
    if (subject === this.#subject) return;
    this.stop();
    this.#subject = subject;
    if (subject !== undefined) this.#timer = this.#clock.setTimer(this.#onOverdue, this.#ms);
  }

  stop(): void {
    this.#clock.clearTimer(this.#timer);
  }
}
