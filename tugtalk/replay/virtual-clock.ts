/** The clock of a replay: it stands still until it is moved, and its timers run where the recording has them. */
import type { Clock } from "../src/base/clock.ts";

/** A timer; they are counted from 1 as they are set. */
type Timer = { readonly number: number; readonly delay: number; readonly run: () => void };

/**
 * Delays of one timer that differ by less are those of one limit, in ms: what is left of a limit may be
 * calculated a moment earlier or later.
 */
const NEAR_MS = 50;

export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;
  #set = 0;

  /** `now`, the start, is in ms since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  readonly setTimer = (run: () => void, delay: number): unknown => {
    this.#set += 1;
    const timer = { number: this.#set, delay, run };
    this.#timers.add(timer);
    return timer;
  };

  readonly clearTimer = (timer: unknown): void => {
    this.#timers.delete(timer as Timer);
  };

  moveTo(now: number): void {
    this.#now = now;
  }

  /** Runs the timer with this number, or else the oldest one with this delay. */
  fire(number: number, delay: number): void {
    const fitting = [...this.#timers].filter((timer) => Math.abs(timer.delay - delay) < NEAR_MS);
    const timer = fitting.find((each) => each.number === number) ?? fitting[0];
    if (timer === undefined) return;
    this.#timers.delete(timer);
    timer.run();
  }
}
