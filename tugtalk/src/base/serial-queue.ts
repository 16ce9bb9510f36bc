/** Asynchronous tasks that run one after the other. */

/** The most tasks that are running or queued. */
const MAX_TASKS = 16;

export class SerialQueue {
  readonly #onError: (error: unknown) => void;
  readonly #onSettled: () => void;
  #tail: Promise<void> = Promise.resolve();
  #count = 0;

  /** `onSettled` is called after each task, whether it failed or not. */
  constructor(onError: (error: unknown) => void, onSettled: () => void) {
    this.#onError = onError;
    this.#onSettled = onSettled;
  }

  /** Whether a task is running or queued. */
  get isBusy(): boolean {
    return this.#count > 0;
  }

  /** Whether callers must wait for a task to settle before they add another. */
  get isFull(): boolean {
    return this.#count >= MAX_TASKS;
  }

  /** Adds a task. */
  add(task: () => void | Promise<void>): void {
    this.#count += 1;
    this.#tail = this.#tail
      .then(task)
      .catch(this.#onError)
      .finally(() => {
        this.#count -= 1;
        this.#onSettled();
      });
  }
}
