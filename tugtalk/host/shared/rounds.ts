/** Work that is done once more where it is asked for while it is done. */
export class Rounds {
  readonly #work: () => Promise<void>;
  #isAsked = false;
  #running: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when a round has succeeded that has begun after this call. Rejects as the last one does. */
  ask(): Promise<void> {
    this.#isAsked = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isAsked) await this.#round();
    } finally {
      // Not a moment later: who asks from now on needs another round.
      this.#running = undefined;
    }
  }

  async #round(): Promise<void> {
    this.#isAsked = false;
    try {
      await this.#work();
    } catch (error) {
      // The next one may succeed.
      if (!this.#isAsked) throw error;
    }
  }
}
