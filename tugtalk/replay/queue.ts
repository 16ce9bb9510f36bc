/** Values that are read when the reader gets round to it. */
export class Queue<Value> {
  readonly #values: Value[] = [];
  #arrival = Promise.withResolvers<void>();

  push(value: Value): void {
    this.#values.push(value);
    this.#arrival.resolve();
  }

  /** The next value, once there is one. */
  async next(): Promise<Value> {
    for (;;) {
      const [value] = this.#values.splice(0, 1);
      if (value !== undefined) return value;
      await this.#arrival.promise;
      this.#arrival = Promise.withResolvers();
    }
  }
}
