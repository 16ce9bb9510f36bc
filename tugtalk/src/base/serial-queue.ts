/** Asynchronous tasks that run one after the other. */

export type SerialQueueOptions = {
  /** The most tasks that are running or queued. The caller checks `isFull`. */
  readonly limit?: number;
  /** Called after each task, whether it failed or not. */
  readonly onSettled?: () => void;
};

export class SerialQueue {
  readonly #options: SerialQueueOptions;
  #tail: Promise<void> = Promise.resolve();
  #count = 0;

  constructor(options: SerialQueueOptions = {}) {
    this.#options = options;
  }

  /** Whether a task is running or queued. */
  get isBusy(): boolean {
    return this.#count > 0;
  }

  /** Whether callers must wait for a task to settle before they add another. */
  get isFull(): boolean {
    return this.#count >= (this.#options.limit ?? Infinity);
  }

  /** Adds a task. `onError` gets its error, and an error of `onSettled`. */
  add(task: () => void | Promise<void>, onError: (error: unknown) => void): void {
    this.#count += 1;
    this.#tail = this.#tail
      .then(task)
      .catch(onError)
      .finally(() => {
        this.#count -= 1;
        this.#options.onSettled?.();
      })
      .catch(onError);
  }

  /** Resolves when every task that was added so far has settled. */
  settled(): Promise<void> {
    return this.#tail;
  }
}
