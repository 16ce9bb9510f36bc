/** A clock that does not move and counts the timers that are set and not cleared. */
import type { Clock } from "../src/base/clock.ts";

export class CountedClock implements Clock {
  readonly #timers = new Set<object>();
  /** How many timers were set in all. */
  set = 0;

  /** How many are running. */
  get open(): number {
    return this.#timers.size;
  }

  readonly now = (): number => 0;

  readonly setTimer = (): unknown => {
    const timer = {};
    this.#timers.add(timer);
    this.set += 1;
    return timer;
  };

  readonly clearTimer = (timer: unknown): void => {
    this.#timers.delete(timer as object);
  };
}
