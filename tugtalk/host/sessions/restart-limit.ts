/** How often a bridge may be started again without a person, so that a crash does not loop. */

const MAX_RESTARTS = 3;
const WINDOW_MS = 60_000;

export class RestartLimit {
  readonly #now: () => number;
  #restarts: readonly number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts one more; false if there were too many in the last minute. */
  take(): boolean {
    const now = this.#now();
    const recent = this.#restarts.filter((at) => at > now - WINDOW_MS);
    if (recent.length >= MAX_RESTARTS) return false;
    this.#restarts = [...recent, now];
    return true;
  }
}
