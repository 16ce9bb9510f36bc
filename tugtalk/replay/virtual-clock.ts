/** A clock that stands still until it is moved: a replay takes no time, and its limits still pass. */
import type { Clock } from "../src/clock.ts";

type Timer = {
  /** Which one, counted from 1 as they are set. */
  readonly number: number;
  readonly delay: number;
  readonly due: number;
  readonly run: () => void;
};

/**
 * A reading of the clock, counted from when it was moved or read late, at which it
 * has gone on, to this time since the start, in ms.
 */
export type LateReading = { readonly reading: number; readonly ms: number };

/**
 * Delays of one timer that differ by less are those of one limit, in ms: what is left of a limit may be
 * reckoned a moment earlier or later.
 */
const NEAR_MS = 50;

export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  readonly #start: number;
  #now: number;
  #set = 0;
  #readings = 0;
  #late: readonly LateReading[] = [];

  /** `now`, the start, is in ms since 1970. */
  constructor(now: number) {
    this.#start = now;
    this.#now = now;
  }

  readonly now = (): number => {
    this.#readings += 1;
    const [next, ...rest] = this.#late;
    if (next?.reading === this.#readings) {
      this.#now = this.#start + next.ms;
      this.#late = rest;
      this.#readings = 0;
    }
    return this.#now;
  };

  readonly setTimer = (run: () => void, ms: number): unknown => {
    this.#set += 1;
    const timer = { number: this.#set, delay: ms, due: this.#now + ms, run };
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

  /** Stands at this time since the start, in ms, up to the first of these readings. */
  standAt(ms: number, late: readonly LateReading[]): void {
    this.#now = this.#start + ms;
    this.#late = late;
    this.#readings = 0;
  }

  /** Runs the timer with this number, or else the oldest one with this delay. */
  fire(number: number, delay: number): void {
    const fitting = [...this.#timers].filter((timer) => Math.abs(timer.delay - delay) < NEAR_MS);
    const timer = fitting.find((each) => each.number === number) ?? fitting[0];
    if (timer === undefined) return;
    this.#timers.delete(timer);
    timer.run();
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
