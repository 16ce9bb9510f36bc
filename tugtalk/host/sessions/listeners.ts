/** Those who are told of what happens. One that fails does not hurt the others. */

import { logError } from "../api/host-log.ts";

export class Listeners<News> {
  readonly #listeners = new Set<(news: News) => void>();

  get size(): number {
    return this.#listeners.size;
  }

  /** Gives the way to end it, from which on the listener is not called any more. */
  add(onNews: (news: News) => void): () => void {
    // A function of its own, so that one that is added twice is called twice.
    const listener = (news: News) => onNews(news);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(news: News): void {
    for (const listener of [...this.#listeners]) {
      // One that was called before may have ended it.
      if (this.#listeners.has(listener)) tellOne(listener, news);
    }
  }
}

function tellOne<News>(listener: (news: News) => void, news: News): void {
  try {
    listener(news);
  } catch (error) {
    logError(error);
  }
}
