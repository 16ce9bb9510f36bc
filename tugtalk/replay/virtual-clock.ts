/** A clock that stands still until it is moved: a replay takes no time, and its limits still pass. */
import type { Clock } from "../src/clock.ts";

type Timer = { readonly due: number; readonly run: () => void };

export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;

  /** `now` is in ms since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  readonly setTimer = (run: () => void, ms: number): unknown => {
    const timer = { due: this.#now + ms, run };
    this.#timers.add(timer);
    return timer;
  };

  readonly clearTimer = (timer: unknown): void => {
    this.#timers.delete(timer as Timer);
  };

  /** Moves on, but never back; timers that are due then have not run yet. */
  moveTo(now: number): void {
    this.#now = Math.max(this.#now, now);
  }

  /** Runs the first timer that is due until then, at its time. False: there is none. */
  runNext(until: number): boolean {
    const due = [...this.#timers].filter((timer) => timer.due <= until);
    const next = due.reduce<Timer | undefined>(
      (first, timer) => (first === undefined || timer.due < first.due ? timer : first),
      undefined,
    );
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.moveTo(next.due);
    next.run();
    return true;
  }
}
