/** Values in order, for one reader that may have to wait for the next one. */
export class Queue<Value> {
  readonly #entries: { readonly value: Value }[] = [];
  #arrival = Promise.withResolvers<void>();

  push(value: Value): void {
    this.#entries.push({ value });
    this.#arrival.resolve();
  }

  /** The next value, once there is one. */
  async next(): Promise<Value> {
    for (;;) {
      const [next] = this.#entries.splice(0, 1);
      if (next !== undefined) return next.value;
      await this.#arrival.promise;
      this.#arrival = Promise.withResolvers();
    }
  }
}
