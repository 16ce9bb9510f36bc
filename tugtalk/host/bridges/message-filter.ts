/** The messages of a bridge on their way to its session. */
import type { OutboundMessage } from "../../src/types.ts";

type Result = IteratorResult<OutboundMessage, undefined>;

export class MessageFilter implements AsyncIterable<OutboundMessage> {
  readonly #source: AsyncIterator<OutboundMessage, undefined>;
  readonly #isPassed: (message: OutboundMessage) => boolean;
  readonly #read = Promise.withResolvers<void>();

  /** `isPassed` is called with each message; the session does not get those that it refuses. */
  constructor(
    source: AsyncIterable<OutboundMessage>,
    isPassed: (message: OutboundMessage) => boolean,
  ) {
    this.#source = source[Symbol.asyncIterator]();
    this.#isPassed = isPassed;
  }

  /** Resolves when the session has read the last one. */
  get read(): Promise<void> {
    return this.#read.promise;
  }

  [Symbol.asyncIterator](): AsyncIterator<OutboundMessage, undefined> {
    return { next: () => this.#next() };
  }

  async #next(): Promise<Result> {
    try {
      for (;;) {
        const result: Result = await this.#source.next();
        if (result.done === true) this.#read.resolve();
        if (result.done === true || this.#isPassed(result.value)) return result;
      }
    } catch (error) {
      this.#read.resolve();
      throw error;
    }
  }
}
