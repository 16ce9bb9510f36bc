/** Work that runs once more if it is asked for while it runs. */
export class Rounds {
  readonly #work: () => Promise<void>;
  #isAsked = false;
  #running: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when a round that began after this call has succeeded. Rejects as the last one does. */
  ask(): Promise<void> {
    this.#isAsked = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isAsked) await this.#round();
    } finally {
      // In the same moment, since later calls need another round.
      this.#running = undefined;
    }
  }

  async #round(): Promise<void> {
    this.#isAsked = false;
    try {
      await this.#work();
    } catch (error) {
      // The next round may succeed.
      if (!this.#isAsked) throw error;
    }
  }
}
