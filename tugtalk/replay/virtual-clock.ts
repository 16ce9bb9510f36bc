/** The clock of a replay: it stands still until it is moved, and its timers run at their recorded places. */
import type { Clock } from "../src/base/clock.ts";

type Timer = { readonly delay: number; readonly run: () => void };

/** Delays that differ by less, in ms, belong to one limit: the rest of a limit may be calculated later. */
const NEAR_MS = 50;

export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;

  /** `now`, the start, is in ms since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  readonly setTimer = (run: () => void, delay: number): unknown => {
    const timer = { delay, run };
    this.#timers.add(timer);
    return timer;
  };

  readonly clearTimer = (timer: unknown): void => {
    this.#timers.delete(timer as Timer);
  };

  moveTo(now: number): void {
    this.#now = now;
  }

  /** Runs the oldest timer with this delay. */
  fire(delay: number): void {
    const timer = [...this.#timers].find((each) => Math.abs(each.delay - delay) < NEAR_MS);
    if (timer === undefined) return;
    this.#timers.delete(timer);
    timer.run();
  }
}
