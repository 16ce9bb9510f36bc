/** The listeners to events. The failure of one does not affect the others. */
import { logError } from "../api/host-log.ts";

export class Listeners<Notice> {
  readonly #listeners = new Set<(notice: Notice) => void>();

  get size(): number {
    return this.#listeners.size;
  }

  /** Gives the function that removes the listener; after it the listener is not called any more. */
  add(onNotice: (notice: Notice) => void): () => void {
    // A new function, so that a listener that is added twice is called twice.
    const listener = (notice: Notice) => onNotice(notice);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(notice: Notice): void {
    for (const listener of [...this.#listeners]) {
      // A listener before this one may have removed it.
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
