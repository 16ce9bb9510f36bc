/** The clock of a session, and timers that pause under back-pressure of the host. */

/** A clock that tests can drive. Times are in ms. */
export type Clock = {
  readonly setTimer: (run: () => void, ms: number) => unknown;
  readonly clearTimer: (timer: unknown) => void;
  readonly now: () => number;
};

/** How often to check whether the host is reading, in ms. */
export const CHECK_INTERVAL_MS = 1_000;

/**
 * A clock for deadlines on output of Claude. While the host does not read, Claude is not read either,
 * and the awaited line may be in its pipe already. So a timer starts again when the host reads again.
 * `drained` is `HostWriter.drained`.
 */
export function backpressureClock(clock: Clock, drained: () => Promise<void> | undefined): Clock {
  return {
    now: clock.now,
    setTimer: (run, ms) => new PausableTimer({ clock, drained, run, ms }),
    clearTimer: (timer) => (timer as PausableTimer | undefined)?.clear(),
  };
}

type TimerOptions = {
  readonly clock: Clock;
  readonly drained: () => Promise<void> | undefined;
  readonly run: () => void;
  readonly ms: number;
};

class PausableTimer {
  readonly #options: TimerOptions;
  #startedAt: number;
  /** The write to the host that was pending at the last check. */
  #pendingWrite: Promise<void> | undefined;
  #wasBlocked = false;
  #timer: unknown;

  constructor(options: TimerOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    this.#pendingWrite = options.drained();
    this.#schedule(options.ms);
  }

  clear(): void {
    this.#options.clock.clearTimer(this.#timer);
  }

  #schedule(ms: number): void {
    const { clock } = this.#options;
    this.#timer = clock.setTimer(() => this.#check(), Math.min(ms, CHECK_INTERVAL_MS));
  }

  #check(): void {
    const { clock, run, ms } = this.#options;
    const isBlocked = this.#isBlocked();
    if (isBlocked || this.#wasBlocked) this.#startedAt = clock.now();
    this.#wasBlocked = isBlocked;
    // Only the next check can tell whether a pending write is stuck.
    const graceMs = this.#pendingWrite === undefined ? 0 : CHECK_INTERVAL_MS;
    const leftMs = this.#startedAt + ms + graceMs - clock.now();
    if (isBlocked) this.#schedule(CHECK_INTERVAL_MS);
    else if (leftMs > 0) this.#schedule(leftMs);
    else run();
  }

  /** Whether one write has been pending since the last check. A host that reads gets a new one each time. */
  #isBlocked(): boolean {
    const before = this.#pendingWrite;
    this.#pendingWrite = this.#options.drained();
    return before !== undefined && before === this.#pendingWrite;
  }
}
