/** The interrupts that Claude has not answered. Each drops the prompts that come before its answer. */
export class Interrupts {
  #open = 0;
  #over = Promise.withResolvers<void>();

  /** Resolves when none is open; undefined if none is. */
  get settled(): Promise<void> | undefined {
    return this.#open === 0 ? undefined : this.#over.promise;
  }

  async during(interrupt: Promise<unknown>): Promise<void> {
    this.#open += 1;
    await interrupt;
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#over.resolve();
    this.#over = Promise.withResolvers();
  }
}
