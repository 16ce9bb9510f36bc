/** How often Claude may be started again: at most three times a minute, or a crash would loop. */

const RESTARTS = 3;
const WINDOW_MS = 60_000;

export class RestartBudget {
  readonly #now: () => number;
  #restarts: number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether a restart is allowed at this moment. */
  get isLeft(): boolean {
    const since = this.#now() - WINDOW_MS;
    this.#restarts = this.#restarts.filter((at) => at > since);
    return this.#restarts.length < RESTARTS;
  }

  /** Counts one restart. */
  spend(): void {
    this.#restarts.push(this.#now());
  }
}
