/**
 * The clock of a bridge that is recorded. It stands still while the bridge deals with what came in, so
 * that a replay can tell it the same time, and makes known which of its timers run, and when.
 */
import type { Clock } from "../base/clock.ts";
import type { Note } from "./recording-notes.ts";

export class RecordedClock implements Clock {
  readonly #own: Clock;
  readonly #note: (note: Note) => void;
  #now: number;
  #timers = 0;
  #fired = 0;

  /** `note` moves it on to the time that it notes. */
  constructor(own: Clock, note: (note: Note) => void) {
    this.#own = own;
    this.#note = note;
    this.#now = own.now();
  }

  /** How many timers have run. */
  get fired(): number {
    return this.#fired;
  }

  readonly now = (): number => this.#now;

  readonly setTimer = (run: () => void, delay_ms: number): unknown => {
    this.#timers += 1;
    const number = this.#timers;
    const fire = () => {
      this.#fired += 1;
      this.#note({ event: "timer", number, delay_ms });
      run();
    };
    return this.#own.setTimer(fire, delay_ms);
  };

  readonly clearTimer = (timer: unknown): void => this.#own.clearTimer(timer);

  /** It is so late. */
  moveTo(now: number): void {
    this.#now = now;
  }
}
