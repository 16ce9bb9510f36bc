/** How many commits a journal has made, with how many entries, and how long they took. */

/** The upper bounds of the commit times, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export class CommitFigures {
  /**
   * The number of times for each bound that are above the bound before; the last is of those above all
   * bounds.
   */
  readonly #counts = [...BOUNDS, Number.POSITIVE_INFINITY].map(() => 0);
  #seconds = 0;
  #entries = 0;

  /** `beganAt` is on the clock of `performance`. */
  add(beganAt: number, entries: number): void {
    const seconds = (performance.now() - beganAt) / 1_000;
    const place = BOUNDS.findIndex((bound) => seconds <= bound);
    const at = place === -1 ? BOUNDS.length : place;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#seconds += seconds;
    this.#entries += entries;
  }

  get entries(): number {
    return this.#entries;
  }

  /** The sum of all times. */
  get seconds(): number {
    return this.#seconds;
  }

  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** The number of commits that took no longer than each bound. */
  upTo(): readonly (readonly [bound: number, count: number])[] {
    let sum = 0;
    return BOUNDS.map((bound, index) => {
      sum += this.#counts[index] ?? 0;
      return [bound, sum];
    });
  }
}
