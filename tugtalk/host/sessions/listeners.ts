/** The listeners to events. One that fails does not hurt the others. */
import { logError } from "../api/host-log.ts";

export class Listeners<Notice> {
  readonly #listeners = new Set<(notice: Notice) => void>();

  get size(): number {
    return this.#listeners.size;
  }

  /** Gives the way to end it, from which on the listener is not called any more. */
  add(onNotice: (notice: Notice) => void): () => void {
    // A function of its own, so that one that is added twice is called twice.
    const listener = (notice: Notice) => onNotice(notice);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(notice: Notice): void {
    for (const listener of [...this.#listeners]) {
      // One that was called before may have ended it.
      if (this.#listeners.has(listener)) tellOne(listener, notice);
    }
  }
}

function tellOne<Notice>(listener: (notice: Notice) => void, notice: Notice): void {
  try {
    listener(notice);
  } catch (error) {
    logError(error);
  }
}
