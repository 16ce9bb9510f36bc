/** The end of a turn that has been asked for and must come: a limit for one turn at a time. */
import type { Clock } from "../base/clock.ts";

export class InterruptDeadline {
  readonly #clock: Clock;
  #open: { readonly turnId: string; readonly timer: unknown } | undefined;

  /** `clock` is one for limits of what Claude says. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The turn is to end within `ms`; otherwise `onOverdue` is called. Asking again prolongs nothing. */
  start(turnId: string, ms: number, onOverdue: () => void): void {
    if (this.#open?.turnId === turnId) return;
    this.#stop();
    this.#open = { turnId, timer: this.#clock.setTimer(onOverdue, ms) };
  }

  /** Forgets the turn if it has ended. */
  look(isOpen: (turnId: string) => boolean): void {
    if (this.#open !== undefined && !isOpen(this.#open.turnId)) this.#stop();
  }

  #stop(): void {
    this.#clock.clearTimer(this.#open?.timer);
    this.#open = undefined;
  }
}
