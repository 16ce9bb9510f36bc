/** Starts and stops of Claude, one after the other: each begins when the one before it is through. */

/** How many there may be, the one under way among them. */
const MAX_OPEN = 16;

export class SerialQueue {
  readonly #onFailure: (error: unknown) => void;
  readonly #onThrough: () => void;
  #last: Promise<void> = Promise.resolve();
  #open = 0;

  /** `onThrough` is called after each one, whether it failed or not. */
  constructor(onFailure: (error: unknown) => void, onThrough: () => void) {
    this.#onFailure = onFailure;
    this.#onThrough = onThrough;
  }

  /** One is under way, or waits. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** No more are taken until one is through. */
  get isFull(): boolean {
    return this.#open >= MAX_OPEN;
  }

  /** Adds one. */
  add(change: () => void | Promise<void>): void {
    this.#open += 1;
    this.#last = this.#last
      .then(change)
      .catch(this.#onFailure)
      .finally(() => {
        this.#open -= 1;
        this.#onThrough();
      });
  }
}
