/** Time, as the session is given it. */

/** A clock whose timers can be driven by a test. Times are in ms. */
export type Clock = {
  readonly setTimer: (run: () => void, ms: number) => unknown;
  readonly clearTimer: (timer: unknown) => void;
  readonly now: () => number;
};

/** How often it is looked at whether the host reads, in ms. */
export const CHECK_INTERVAL_MS = 1_000;

/**
 * A clock for the limits of what Claude says: while the host does not read, Claude is not read
 * either, and what is waited for may have come. A limit begins anew when the host reads again, so
 * that Claude always has the whole of it. `drained` resolves when the host has taken what it was sent.
 */
export function backpressureClock(clock: Clock, drained: () => Promise<void> | undefined): Clock {
  return {
    now: clock.now,
    setTimer: (run, ms) => new PausableTimer({ clock, drained, run, ms }),
    clearTimer: (timer) => (timer as PausableTimer | undefined)?.clear(),
  };
}

type Limit = {
  readonly clock: Clock;
  readonly drained: () => Promise<void> | undefined;
  readonly run: () => void;
  readonly ms: number;
};

class PausableTimer {
  readonly #limit: Limit;
  /** When the limit began, or began anew. */
  #since: number;
  /** What was being written to the host at the last look. */
  #writing: Promise<void> | undefined;
  #wasBlocked = false;
  #timer: unknown;

  constructor(limit: Limit) {
    this.#limit = limit;
    this.#since = limit.clock.now();
    this.#writing = limit.drained();
    this.#wait(limit.ms);
  }

  clear(): void {
    this.#limit.clock.clearTimer(this.#timer);
  }

  #wait(ms: number): void {
    const { clock } = this.#limit;
    this.#timer = clock.setTimer(() => this.#look(), Math.min(ms, CHECK_INTERVAL_MS));
  }

  #look(): void {
    const { clock, run, ms } = this.#limit;
    const isBlocked = this.#isBlocked();
    if (isBlocked || this.#wasBlocked) this.#since = clock.now();
    this.#wasBlocked = isBlocked;
    // What is being written has perhaps just got stuck: the next look tells.
    const doubtMs = this.#writing === undefined ? 0 : CHECK_INTERVAL_MS;
    const leftMs = this.#since + ms + doubtMs - clock.now();
    if (isBlocked) this.#wait(CHECK_INTERVAL_MS);
    else if (leftMs > 0) this.#wait(leftMs);
    else run();
  }

  /** A host that reads is written to as well while Claude talks, but not the same all the time. */
  #isBlocked(): boolean {
    const before = this.#writing;
    this.#writing = this.#limit.drained();
    return before !== undefined && before === this.#writing;
  }
}
