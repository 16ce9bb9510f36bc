/**
 * The clock of a recorded bridge. It stands still while the bridge handles an input, so that a replay
 * can give the bridge the same time, and it notes which timers run.
 */
import type { Clock } from "../base/clock.ts";
import type { RecordingNotes } from "./recording-notes.ts";

export class RecordedClock implements Clock {
  readonly #clock: Clock;
  readonly #notes: Pick<RecordingNotes, "note" | "lastInput">;
  #timers = 0;
  #fired = 0;

  /** `clock` is the real one. */
  constructor(clock: Clock, notes: Pick<RecordingNotes, "note" | "lastInput">) {
    this.#clock = clock;
    this.#notes = notes;
  }

  /** How many timers have run. */
  get fired(): number {
    return this.#fired;
  }

  readonly now = (): number => this.#notes.lastInput;

  readonly setTimer = (run: () => void, delay_ms: number): unknown => {
    this.#timers += 1;
    const number = this.#timers;
    const fire = () => {
      this.#fired += 1;
      this.#notes.note({ event: "timer", number, delay_ms });
      run();
    };
    return this.#clock.setTimer(fire, delay_ms);
  };

  readonly clearTimer = (timer: unknown): void => this.#clock.clearTimer(timer);
}
